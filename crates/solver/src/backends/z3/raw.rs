//! Z3's C interface behind a safe handle.
//!
//! Boundary: nothing outside this file is unsafe here. Invariants: every expression made is held (counted) until its
//! [`Z3`] is dropped, and an [`Ast`] is only given to the [`Z3`] that made it.

#![expect(unsafe_code, reason = "Z3 is a C++ library")]

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_uint};

use z3_sys::*;

/// An expression of one [`Z3`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ast(Z3_ast);

/// A sort of one [`Z3`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sort(Z3_sort);

/// Z3 refused a call; its message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Z3Failure(pub String);

/// The answer of one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Z3Answer {
    Sat,
    Unsat,
    /// Z3's reason.
    Unknown(String),
}

/// A function of the C interface of one expression.
pub(crate) type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
/// A function of the C interface of two expressions.
pub(crate) type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
/// A function of the C interface of three expressions.
pub(crate) type Ternary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
/// A function of the C interface of a number and an expression.
pub(crate) type Indexed = unsafe extern "C" fn(Z3_context, c_uint, Z3_ast) -> Option<Z3_ast>;
/// A constant of the C interface.
pub(crate) type Nullary = unsafe extern "C" fn(Z3_context) -> Option<Z3_ast>;

/// A Z3 context with one solver.
pub(crate) struct Z3 {
    context: Z3_context,
    logic: Option<&'static CStr>,
    solver: Cell<Z3_solver>,
    /// The model of the last satisfiable check.
    model: RefCell<Option<Z3_model>>,
}

impl Z3 {
    /// A context whose solver is made for `logic`, or for all logics.
    pub fn new(logic: Option<&'static CStr>) -> Result<Self, Z3Failure> {
        // SAFETY: the configuration is live until deleted here; the context is checked. Without an error handler Z3
        // records errors, which each call below asks for.
        let context = unsafe {
            let failure = || Z3Failure("it cannot make a context".to_owned());
            let config = Z3_mk_config().ok_or_else(failure)?;
            let context = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let context = context.ok_or_else(failure)?;
            Z3_set_error_handler(context, None);
            context
        };
        let solver = make_solver(context, logic).inspect_err(|_| {
            // SAFETY: the context is live and not used afterwards.
            unsafe { Z3_del_context(context) }
        })?;
        Ok(Self { context, logic, solver: Cell::new(solver), model: RefCell::new(None) })
    }

    /// Replaces the solver by a fresh one: no formulas, no scopes, no limits.
    pub fn renew_solver(&self) -> Result<(), Z3Failure> {
        self.forget_model();
        let old = self.solver.replace(make_solver(self.context, self.logic)?);
        // SAFETY: both are live; the solver was counted when it was made.
        unsafe { Z3_solver_dec_ref(self.context, old) };
        Ok(())
    }

    /// The version of the library in use.
    pub fn version() -> String {
        let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
        // SAFETY: four live locals to write to.
        unsafe { Z3_get_version(&raw mut major, &raw mut minor, &raw mut build, &raw mut revision) };
        format!("{major}.{minor}.{build}")
    }

    fn hold(&self, ast: Option<Z3_ast>) -> Result<Ast, Z3Failure> {
        let ast = ast.ok_or_else(|| message(self.context))?;
        // SAFETY: both are live; the count keeps the expression until the context is deleted.
        unsafe { Z3_inc_ref(self.context, ast) };
        Ok(Ast(ast))
    }

    /// A constant expression.
    pub fn nullary(&self, f: Nullary) -> Result<Ast, Z3Failure> {
        // SAFETY: the context is live.
        self.hold(unsafe { f(self.context) })
    }

    /// `f(a)`
    pub fn unary(&self, f: Unary, a: Ast) -> Result<Ast, Z3Failure> {
        // SAFETY: the context and, by invariant, the expression are live; sorts are checked by Z3.
        self.hold(unsafe { f(self.context, a.0) })
    }

    /// `f(a, b)`
    pub fn binary(&self, f: Binary, a: Ast, b: Ast) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { f(self.context, a.0, b.0) })
    }

    /// `f(a, b, c)`
    pub fn ternary(&self, f: Ternary, a: Ast, b: Ast, c: Ast) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { f(self.context, a.0, b.0, c.0) })
    }

    /// `f(n, a)`
    pub fn indexed(&self, f: Indexed, n: u32, a: Ast) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { f(self.context, n, a.0) })
    }

    /// Fused multiply and add.
    pub fn fma(&self, rounding: Ast, a: Ast, b: Ast, c: Ast) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { Z3_mk_fpa_fma(self.context, rounding.0, a.0, b.0, c.0) })
    }

    /// All of them.
    pub fn and(&self, all: &[Ast]) -> Result<Ast, Z3Failure> {
        let raw: Vec<Z3_ast> = all.iter().map(|a| a.0).collect();
        // SAFETY: as for `unary`; the array is read during the call only.
        self.hold(unsafe { Z3_mk_and(self.context, raw.len() as c_uint, raw.as_ptr()) })
    }

    /// Any of them.
    pub fn or(&self, any: &[Ast]) -> Result<Ast, Z3Failure> {
        let raw: Vec<Z3_ast> = any.iter().map(|a| a.0).collect();
        // SAFETY: as for `and`.
        self.hold(unsafe { Z3_mk_or(self.context, raw.len() as c_uint, raw.as_ptr()) })
    }

    /// `low..low + width` of `a`.
    pub fn extract(&self, a: Ast, low: u32, width: u32) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { Z3_mk_extract(self.context, low + width - 1, low, a.0) })
    }

    fn sort(&self, sort: Option<Z3_sort>) -> Result<Sort, Z3Failure> {
        let sort = sort.ok_or_else(|| message(self.context))?;
        // SAFETY: both are live; the count keeps the sort until the context is deleted.
        unsafe { Z3_inc_ref(self.context, Z3_sort_to_ast(self.context, sort).ok_or_else(|| message(self.context))?) };
        Ok(Sort(sort))
    }

    /// Bit vectors of a width.
    pub fn bv_sort(&self, width: u32) -> Result<Sort, Z3Failure> {
        // SAFETY: the context is live.
        self.sort(unsafe { Z3_mk_bv_sort(self.context, width) })
    }

    /// Floats by the widths of exponent and significand (hidden bit included).
    pub fn float_sort(&self, exponent: u32, significand: u32) -> Result<Sort, Z3Failure> {
        // SAFETY: the context is live.
        self.sort(unsafe { Z3_mk_fpa_sort(self.context, exponent, significand) })
    }

    /// An array whose elements are all `value`, indexed by `index`.
    pub fn constant_array(&self, index: Sort, value: Ast) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { Z3_mk_const_array(self.context, index.0, value.0) })
    }

    /// A free constant, unique by name and sort.
    pub fn free(&self, name: &str, sort: Sort) -> Result<Ast, Z3Failure> {
        let name = CString::new(name).map_err(|_| Z3Failure("a name has a zero byte".to_owned()))?;
        // SAFETY: the context and the sort are live, the name is a C string.
        let ast = unsafe {
            let symbol = Z3_mk_string_symbol(self.context, name.as_ptr()).ok_or_else(|| message(self.context))?;
            Z3_mk_const(self.context, symbol, sort.0)
        };
        self.hold(ast)
    }

    /// A number of at most 64 bits.
    pub fn number(&self, value: u64, sort: Sort) -> Result<Ast, Z3Failure> {
        // SAFETY: the context and the sort are live.
        self.hold(unsafe { Z3_mk_unsigned_int64(self.context, value, sort.0) })
    }

    /// A bit pattern as a float.
    pub fn float_from_bits(&self, bits: Ast, sort: Sort) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { Z3_mk_fpa_to_fp_bv(self.context, bits.0, sort.0) })
    }

    /// A float in another format.
    pub fn float_from_float(&self, rounding: Ast, a: Ast, sort: Sort) -> Result<Ast, Z3Failure> {
        // SAFETY: as for `unary`.
        self.hold(unsafe { Z3_mk_fpa_to_fp_float(self.context, rounding.0, a.0, sort.0) })
    }

    /// An integer as a float.
    pub fn float_from_int(&self, rounding: Ast, a: Ast, sort: Sort, signed: bool) -> Result<Ast, Z3Failure> {
        let f = if signed { Z3_mk_fpa_to_fp_signed } else { Z3_mk_fpa_to_fp_unsigned };
        // SAFETY: as for `unary`.
        self.hold(unsafe { f(self.context, rounding.0, a.0, sort.0) })
    }

    /// A float as an integer of `width` bits; unspecified out of range.
    pub fn int_from_float(&self, rounding: Ast, a: Ast, width: u32, signed: bool) -> Result<Ast, Z3Failure> {
        let f = if signed { Z3_mk_fpa_to_sbv } else { Z3_mk_fpa_to_ubv };
        // SAFETY: as for `unary`.
        self.hold(unsafe { f(self.context, rounding.0, a.0, width) })
    }

    /// Limits the checks to come: Z3's unit of work, and milliseconds.
    pub fn set_limits(&self, work: u32, milliseconds: u32) -> Result<(), Z3Failure> {
        // SAFETY: all are live; the parameters are counted while they are used.
        unsafe {
            let params = Z3_mk_params(self.context).ok_or_else(|| message(self.context))?;
            Z3_params_inc_ref(self.context, params);
            for (name, value) in [(c"rlimit", work), (c"timeout", milliseconds)] {
                if let Some(symbol) = Z3_mk_string_symbol(self.context, name.as_ptr()) {
                    Z3_params_set_uint(self.context, params, symbol, value);
                }
            }
            Z3_solver_set_params(self.context, self.solver.get(), params);
            Z3_params_dec_ref(self.context, params);
        }
        self.no_error()
    }

    /// Opens a scope.
    pub fn push(&self) -> Result<(), Z3Failure> {
        // SAFETY: both are live.
        unsafe { Z3_solver_push(self.context, self.solver.get()) };
        self.no_error()
    }

    /// Closes scopes.
    pub fn pop(&self, scopes: u32) -> Result<(), Z3Failure> {
        // SAFETY: both are live.
        unsafe { Z3_solver_pop(self.context, self.solver.get(), scopes) };
        self.no_error()
    }

    /// Adds a formula to the innermost scope.
    pub fn assert(&self, formula: Ast) -> Result<(), Z3Failure> {
        // SAFETY: all are live.
        unsafe { Z3_solver_assert(self.context, self.solver.get(), formula.0) };
        self.no_error()
    }

    /// Are the formulas of all scopes satisfiable?
    pub fn check(&self) -> Z3Answer {
        self.forget_model();
        // SAFETY: both are live; the reason is a C string owned by Z3 until the next call; the model is counted.
        unsafe {
            match Z3_solver_check(self.context, self.solver.get()) {
                Z3_L_FALSE => Z3Answer::Unsat,
                Z3_L_TRUE => {
                    let model = Z3_solver_get_model(self.context, self.solver.get());
                    model.inspect(|m| Z3_model_inc_ref(self.context, *m));
                    *self.model.borrow_mut() = model;
                    Z3Answer::Sat
                }
                _ => {
                    let why = Z3_solver_get_reason_unknown(self.context, self.solver.get());
                    Z3Answer::Unknown(text(why))
                }
            }
        }
    }

    /// The value of a bit vector of at most 64 bits in the last model; 0 where the model does not care.
    pub fn value(&self, a: Ast) -> Option<u64> {
        let model = (*self.model.borrow())?;
        let mut result = None;
        let mut value = 0;
        // SAFETY: all are live; the result is read before the next call that could free it.
        let ok = unsafe {
            Z3_model_eval(self.context, model, a.0, true, (&raw mut result).cast())
                && Z3_get_numeral_uint64(self.context, result?, &raw mut value)
        };
        ok.then_some(value)
    }

    fn forget_model(&self) {
        if let Some(model) = self.model.borrow_mut().take() {
            // SAFETY: both are live; the model was counted when it was kept.
            unsafe { Z3_model_dec_ref(self.context, model) };
        }
    }

    fn no_error(&self) -> Result<(), Z3Failure> {
        // SAFETY: the context is live.
        match unsafe { Z3_get_error_code(self.context) } {
            ErrorCode::Ok => Ok(()),
            _ => Err(message(self.context)),
        }
    }
}

/// A counted solver.
fn make_solver(context: Z3_context, logic: Option<&CStr>) -> Result<Z3_solver, Z3Failure> {
    // SAFETY: the context is live; the solver is checked, and counted until it is given up.
    unsafe {
        let symbol = logic.map(|name| Z3_mk_string_symbol(context, name.as_ptr()));
        let solver = match symbol {
            None => Z3_mk_solver(context),
            Some(symbol) => symbol.and_then(|symbol| Z3_mk_solver_for_logic(context, symbol)),
        };
        let solver = solver.ok_or_else(|| message(context))?;
        Z3_solver_inc_ref(context, solver);
        Ok(solver)
    }
}

fn message(context: Z3_context) -> Z3Failure {
    // SAFETY: the context is live; the message is a C string owned by Z3 until the next call.
    unsafe { Z3Failure(text(Z3_get_error_msg(context, Z3_get_error_code(context)))) }
}

/// # Safety
/// `string` is null or a C string.
unsafe fn text(string: Z3_string) -> String {
    if string.is_null() {
        return "no reason given".to_owned();
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

impl Drop for Z3 {
    fn drop(&mut self) {
        self.forget_model();
        // SAFETY: both are live and not used afterwards; deleting the context frees every expression.
        unsafe {
            Z3_solver_dec_ref(self.context, self.solver.get());
            Z3_del_context(self.context);
        }
    }
}
