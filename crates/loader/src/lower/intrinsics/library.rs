//! Intrinsics that stand for functions of the C library: they become calls of these.

use taw_ir::{Alloca, FloatTy, Inst, Operand, Ty};

use super::IntrinsicResult;
use crate::llvm::{LlvmTypeKind, LlvmValue};
use crate::lower::body::{FunctionBody, Parts, Unsupported};
use crate::lower::scalar::float;

/// Names of intrinsics that are also names of functions from floats (and an exponent) to a float.
const FUNCTIONS: [&str; 22] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "pow", "exp", "exp2", "exp10", "log",
    "log2", "log10", "ldexp", "powi", "sincos", "frexp", "modf",
];

/// The room that functions with a result through a pointer need.
const SCRATCH: u64 = 16;

/// The function that a declared intrinsic calls: `sinf` for `llvm.sin.f32`. None if it is another kind of intrinsic, or
/// if no function has its name.
pub fn library_name(intrinsic: LlvmValue<'_>) -> Option<String> {
    let name = intrinsic.intrinsic()?.strip_prefix("llvm.")?;
    let has_function = FUNCTIONS[..18].contains(&name) || matches!(name, "frexp" | "modf");
    let result = intrinsic.value_type().result();
    // `frexp` and `modf` have two results; the first is of the format.
    let first = if result.kind() == LlvmTypeKind::Struct { result.element(0) } else { result };
    let ty = match first.kind() {
        LlvmTypeKind::Float => FloatTy::F32,
        LlvmTypeKind::Double => FloatTy::F64,
        LlvmTypeKind::X86Fp80 => FloatTy::F80,
        _ => return None,
    };
    has_function.then(|| suffixed(name, ty))
}

/// The C library's name for a function of a format.
fn suffixed(name: &str, ty: FloatTy) -> String {
    match (name, ty) {
        // Not in C, but in the compiler's own library.
        ("powi", FloatTy::F32) => "__powisf2".to_string(),
        ("powi", FloatTy::F64) => "__powidf2".to_string(),
        ("powi", FloatTy::F80) => "__powixf2".to_string(),
        ("powi", _) => "__powitf2".to_string(),
        (_, FloatTy::F16 | FloatTy::F32) => format!("{name}f"),
        (_, FloatTy::F64) => name.to_string(),
        (_, FloatTy::F80) => format!("{name}l"),
        (_, FloatTy::F128) => format!("{name}f128"),
    }
}

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn library_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        if !FUNCTIONS.contains(&name) {
            return Ok(None);
        }
        let ty = self.float_of(i.operand(0))?;
        match name {
            "sincos" => {
                let mut parts = self.each_lane(i, "sin", ty);
                parts.extend(self.each_lane(i, "cos", ty));
                Ok(Some(parts))
            }
            "frexp" | "modf" => self.with_pointer(i, name, ty).map(Some),
            _ => Ok(Some(self.each_lane(i, name, ty))),
        }
    }

    /// One call per lane. There are no functions of half floats: they are computed as single.
    fn each_lane(&mut self, i: LlvmValue<'m>, name: &str, ty: FloatTy) -> Parts {
        let wide = if ty == FloatTy::F16 { FloatTy::F32 } else { ty };
        let arguments: Vec<Parts> =
            i.call_arguments().map(|a| self.value(a)).filter(|parts| !parts.is_empty()).collect();
        let lanes = arguments[0].len();
        let name = suffixed(name, wide);
        (0..lanes)
            .map(|lane| {
                let of_lane = |parts: &Parts| *parts.get(lane).unwrap_or(&parts[0]);
                let arguments: Vec<Operand> =
                    arguments.iter().map(|parts| self.converted(of_lane(parts), wide)).collect();
                let result = self.call_library(&name, &arguments, Some(Ty::Float(wide)));
                self.converted(result, ty)
            })
            .collect()
    }

    /// A float in another format; anything else as it is.
    fn converted(&mut self, src: Operand, to: FloatTy) -> Operand {
        match self.type_of(src) {
            Ty::Float(from) if from != to => {
                self.compute(Ty::Float(to), |dst| Inst::FloatToFloat { from, to, dst, src })
            }
            _ => src,
        }
    }

    /// `frexp` and `modf` give back their second result through a pointer.
    fn with_pointer(&mut self, i: LlvmValue<'m>, name: &str, ty: FloatTy) -> Result<Parts, Unsupported> {
        let shape = self.shape(i);
        let ([first, second], Some(scratch)) = (&shape.scalars[..], self.scratch) else {
            return Err(format!("`{name}` of a vector"));
        };
        let (first, second) = (float(*first)?, *second);
        if ty == FloatTy::F16 {
            return Err(format!("`{name}` of a half float"));
        }
        let argument = self.scalar(i.operand(0));
        let result = self.call_library(&suffixed(name, ty), &[argument, scratch], Some(Ty::Float(first)));
        let width = self.width(second);
        let through = self.compute(second, |dst| Inst::Load { dst, ptr: scratch, width });
        Ok([result, through].into_iter().collect())
    }

    /// Makes room at the start of a function that calls `frexp` or `modf`.
    pub(in crate::lower) fn make_scratch(&mut self, f: LlvmValue<'m>) {
        let needs = |i: LlvmValue<'m>| {
            let callee = (i.opcode() == Some(crate::llvm::Opcode::LLVMCall)).then(|| i.callee());
            let name = callee.filter(|c| c.is_function()).and_then(LlvmValue::intrinsic);
            matches!(name, Some("llvm.frexp" | "llvm.modf"))
        };
        if !f.blocks().any(|block| block.instructions().any(needs)) {
            return;
        }
        let count = self.number(Ty::Int(32), 1);
        let alloca = Alloca {
            dst: self.register(Ty::Ptr),
            size: SCRATCH,
            count,
            count_width: 32,
            align: SCRATCH,
            element: 1,
            name: String::new(),
            source: None,
        };
        self.scratch = self.allocate(alloca).first().copied();
    }
}
