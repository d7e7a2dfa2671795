//! The styles in which tests are written (`--style`): one row each. To add one: a row here.
//!
//! In the texts `@` stands for the name of a test, or for the condition of a check; `#` for the number of the check; `%` for the name of the file.

/// A style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuiteStyle {
    /// What `--style` calls it.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// What comes behind the source under test.
    pub(super) head: &'static str,
    /// What a test begins with.
    pub(super) open: &'static str,
    /// An assertion.
    pub(super) check: &'static str,
    /// What a test ends with.
    pub(super) close: &'static str,
    /// What comes behind the tests; `@ROWS@` is where [`row`](Self::row) stands for each.
    pub(super) foot: &'static str,
    pub(super) row: &'static str,
    /// A second file, in C++: once, and for each test.
    pub(super) beside: Option<(&'static str, &'static str)>,
    /// How CMake finds the framework.
    pub(super) find: &'static str,
    /// What is linked.
    pub(super) link: &'static str,
    /// What the program is told to run just one test.
    pub(super) run: &'static str,
}

/// Every style; the first is the default.
pub const STYLES: &[SuiteStyle] = &[ASSERT, CMOCKA, CHECK, CRITERION, GTEST, UNITY];

const ASSERT: SuiteStyle = SuiteStyle {
    name: "assert",
    help: "plain assert(), each test in a process of its own; needs nothing but a C compiler",
    head: "#undef NDEBUG\n#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n",
    open: "static void @(void) {\n",
    check: "assert(@);",
    close: "}\n",
    foot: include_str!("assert_main.c"),
    row: "    {\"@\", @},\n",
    beside: None,
    find: "",
    link: "",
    run: "@",
};

const CMOCKA: SuiteStyle = SuiteStyle {
    name: "cmocka",
    help: "cmocka (Debian: libcmocka-dev)",
    head: "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n",
    open: "static void @(void **state) {\n  (void)state;\n",
    check: "assert_true(@);",
    close: "}\n",
    foot: "int main(int argc, char **argv) {\n  const struct CMUnitTest tests[] = {\n@ROWS@  };\n  if (argc > 1) cmocka_set_test_filter(argv[1]);\n  return cmocka_run_group_tests(tests, NULL, NULL);\n}\n",
    row: "    cmocka_unit_test(@),\n",
    beside: None,
    find: "",
    link: " cmocka",
    run: "@",
};

const CHECK: SuiteStyle = SuiteStyle {
    name: "check",
    help: "Check (Debian: check)",
    head: "#include <check.h>\n#include <stdlib.h>\n",
    open: "START_TEST(@) {\n",
    check: "ck_assert(@);",
    close: "}\nEND_TEST\n",
    foot: "int main(int argc, char **argv) {\n  Suite *suite = suite_create(\"@STEM@\");\n  TCase *tests;\n@ROWS@  SRunner *runner = srunner_create(suite);\n  srunner_run(runner, NULL, argc > 1 ? argv[1] : NULL, CK_NORMAL);\n  int failed = srunner_ntests_failed(runner);\n  srunner_free(runner);\n  return failed != 0;\n}\n",
    row: "  tests = tcase_create(\"@\");\n  tcase_add_test(tests, @);\n  suite_add_tcase(suite, tests);\n",
    beside: None,
    find: "find_package(PkgConfig REQUIRED)\npkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)\n",
    link: " PkgConfig::CHECK",
    run: "@",
};

const CRITERION: SuiteStyle = SuiteStyle {
    name: "criterion",
    help: "Criterion (Debian: libcriterion-dev)",
    head: "#include <criterion/criterion.h>\n",
    open: "Test(%, @) {\n",
    check: "cr_assert(@);",
    close: "}\n",
    foot: "",
    row: "",
    beside: None,
    find: "",
    link: " criterion",
    run: "--filter=%/@",
};

const GTEST: SuiteStyle = SuiteStyle {
    name: "gtest",
    help: "GoogleTest (Debian: libgtest-dev); the calls are in C, because the source under test is",
    head: "#include <stddef.h>\n#define SUITE_TEXT_OF(number) #number\n#define SUITE_LINE(number) SUITE_TEXT_OF(number)\n/* A test gives back the condition that does not hold, or nothing. */\n#define EXPECT(condition) do { if (!(condition)) return __FILE__ \":\" SUITE_LINE(__LINE__) \": \" #condition; } while (0)\n",
    open: "const char *@(void);\nconst char *@(void) {\n",
    check: "EXPECT(@);",
    close: "  return NULL;\n}\n",
    foot: "",
    row: "",
    beside: Some((
        "#include <gtest/gtest.h>\n",
        "\nextern \"C\" const char *@(void);\nTEST(%, @) {\n  EXPECT_STREQ(nullptr, @());\n}\n",
    )),
    find: "enable_language(CXX)\nfind_package(GTest REQUIRED)\n",
    link: " GTest::gtest_main",
    run: "--gtest_filter=%.@",
};

const UNITY: SuiteStyle = SuiteStyle {
    name: "unity",
    help: "Unity, which is not in Debian: CMake fetches it, or takes it from the folder -DUNITY_DIR=",
    head: "#include <string.h>\n#include <unity.h>\n",
    open: "static void @(void) {\n",
    check: "TEST_ASSERT(@);",
    close: "}\n",
    foot: "void setUp(void) {}\nvoid tearDown(void) {}\n\nint main(int argc, char **argv) {\n  UNITY_BEGIN();\n@ROWS@  return UNITY_END();\n}\n",
    row: "  if (argc < 2 || strcmp(argv[1], \"@\") == 0) RUN_TEST(@);\n",
    beside: None,
    find: include_str!("unity.cmake"),
    link: " unity",
    run: "@",
};

/// How a test is tried before it is written: each check that fails is noted, and the tests run alone or together, in any order.
pub(super) const TRIAL: SuiteStyle = SuiteStyle {
    name: "trial",
    help: "",
    head: include_str!("trial_head.h"),
    open: "static void @(void) {\n",
    check: "TAW_TRIAL_CHECK(#, @);",
    close: "}\n",
    foot: include_str!("trial_main.c"),
    row: "    @,\n",
    beside: None,
    find: "",
    link: "",
    run: "",
};

/// Tests of errors: one is run, and is expected not to come back.
pub(super) const ERRORS: SuiteStyle = SuiteStyle {
    name: "errors",
    help: "",
    head: "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n",
    foot: include_str!("errors_main.c"),
    link: "",
    ..ASSERT
};

impl SuiteStyle {
    /// The style of that name.
    pub fn named(name: &str) -> Option<&'static SuiteStyle> {
        STYLES.iter().find(|style| style.name == name)
    }

    /// Whether tests that run one after the other do so in one process, and see what others leave.
    pub fn shares_process(&self) -> bool {
        matches!(self.name, "cmocka" | "gtest" | "unity")
    }
}
