/* What `stat` and its like fill: the structure of x86-64. */
struct kstat {
  unsigned long long st_dev, st_ino, st_nlink;
  unsigned st_mode, st_uid, st_gid, padding;
  unsigned long long st_rdev;
  long long st_size, st_blksize, st_blocks;
  long long st_atime_sec, st_atime_nsec, st_mtime_sec, st_mtime_nsec, st_ctime_sec, st_ctime_nsec;
  long long unused[3];
};
