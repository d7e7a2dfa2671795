//! Tests of the formats: what is written, and what is read back.
