// What LLVM's C interface lacks: wide constants, reading with the error as text, linking on demand, debug information.
//
// Boundary: no logic of Taw here, only access. Every function has its contract in ffi.rs.

#include "llvm-c/Core.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <cstring>

using namespace llvm;

namespace {
size_t words(const APInt &value, uint64_t *out, size_t room) {
  size_t n = value.getNumWords();
  std::memcpy(out, value.getRawData(), std::min(n, room) * sizeof(uint64_t));
  return n;
}

template <class T> T *node(LLVMMetadataRef m) { return dyn_cast_or_null<T>(unwrap<Metadata>(m)); }

const char *text(StringRef s, size_t *len) {
  *len = s.size();
  return s.data();
}
} // namespace

extern "C" {

// Reading a module with debug information verifies it, and exits the process if that fails: the caller verifies itself.
void taw_prepare(void) {
  auto &options = cl::getRegisteredOptions();
  auto found = options.find("disable-auto-upgrade-debug-info");
  if (found != options.end())
    static_cast<cl::opt<bool> *>(found->second)->setValue(true);
}

size_t taw_int_words(LLVMValueRef v, uint64_t *out, size_t room) {
  auto *c = dyn_cast<ConstantInt>(unwrap(v));
  return c ? words(c->getValue(), out, room) : 0;
}

size_t taw_float_words(LLVMValueRef v, uint64_t *out, size_t room) {
  auto *c = dyn_cast<ConstantFP>(unwrap(v));
  return c ? words(c->getValueAPF().bitcastToAPInt(), out, room) : 0;
}

const char *taw_raw_data(LLVMValueRef v, size_t *len) {
  *len = 0;
  auto *c = dyn_cast<ConstantDataSequential>(unwrap(v));
  return c ? text(c->getRawDataValues(), len) : nullptr;
}

LLVMModuleRef taw_read(LLVMContextRef context, const char *data, size_t len, const char *name, int bitcode, char **error) {
  *error = nullptr;
  LLVMContext &cx = *unwrap(context);
  MemoryBufferRef buffer(StringRef(data, len), name);
  if (bitcode) {
    auto module = parseBitcodeFile(buffer, cx);
    if (module)
      return wrap(module->release());
    *error = LLVMCreateMessage(toString(module.takeError()).c_str());
    return nullptr;
  }
  SMDiagnostic diagnostic;
  auto module = parseIR(buffer, diagnostic, cx);
  if (module)
    return wrap(module.release());
  std::string message;
  raw_string_ostream stream(message);
  diagnostic.print(nullptr, stream, /*ShowColors=*/false);
  *error = LLVMCreateMessage(message.c_str());
  return nullptr;
}

LLVMModuleRef taw_read_lazily(LLVMContextRef context, const char *data, size_t len, const char *name, char **error) {
  *error = nullptr;
  auto module = getLazyBitcodeModule(MemoryBufferRef(StringRef(data, len), name), *unwrap(context));
  if (module)
    return wrap(module->release());
  *error = LLVMCreateMessage(toString(module.takeError()).c_str());
  return nullptr;
}

char *taw_producer(const char *data, size_t len) {
  auto producer = getBitcodeProducerString(MemoryBufferRef(StringRef(data, len), ""));
  if (producer)
    return LLVMCreateMessage(producer->c_str());
  consumeError(producer.takeError());
  return nullptr;
}

int taw_link(LLVMModuleRef into, LLVMModuleRef from, int only_needed) {
  unsigned flags = only_needed ? Linker::Flags::LinkOnlyNeeded : Linker::Flags::None;
  return Linker::linkModules(*unwrap(into), std::unique_ptr<Module>(unwrap(from)), flags);
}

LLVMValueRef taw_switch_case(LLVMValueRef v, unsigned i, LLVMBasicBlockRef *to) {
  auto *s = dyn_cast<SwitchInst>(unwrap(v));
  if (!s || i >= s->getNumCases())
    return nullptr;
  auto c = s->case_begin() + i;
  *to = wrap(c->getCaseSuccessor());
  return wrap(c->getCaseValue());
}

// Debug information. A null or unfitting node gives null, zero or the empty text.

LLVMMetadataRef taw_di_subprogram(LLVMMetadataRef scope) {
  auto *s = node<DILocalScope>(scope);
  return wrap(s ? s->getSubprogram() : nullptr);
}

const char *taw_di_name(LLVMMetadataRef m, size_t *len) {
  *len = 0;
  if (auto *s = node<DISubprogram>(m))
    return text(s->getName(), len);
  if (auto *v = node<DIVariable>(m))
    return text(v->getName(), len);
  if (auto *t = node<DIType>(m))
    return text(t->getName(), len);
  if (auto *e = node<DIEnumerator>(m))
    return text(e->getName(), len);
  return nullptr;
}

unsigned taw_di_tag(LLVMMetadataRef m) {
  auto *n = node<DINode>(m);
  return n ? n->getTag() : 0;
}

LLVMMetadataRef taw_di_base(LLVMMetadataRef m) {
  if (auto *t = node<DIDerivedType>(m))
    return wrap(t->getBaseType());
  if (auto *t = node<DICompositeType>(m))
    return wrap(t->getBaseType());
  if (auto *v = node<DIVariable>(m))
    return wrap(v->getType());
  if (auto *s = node<DISubprogram>(m))
    return wrap(s->getType());
  return nullptr;
}

// LLVM's own accessors take whatever stands in the place of a file for one, and its verifier does not look everywhere.
LLVMMetadataRef taw_di_file(LLVMMetadataRef scope) {
  auto *s = node<DIScope>(scope);
  return wrap(s ? dyn_cast_or_null<DIFile>(s->getRawFile()) : nullptr);
}

unsigned taw_di_line(LLVMMetadataRef m, LLVMMetadataRef *file) {
  *file = nullptr;
  if (auto *s = node<DISubprogram>(m)) {
    *file = taw_di_file(m);
    return s->getLine();
  }
  if (auto *v = node<DIVariable>(m)) {
    *file = wrap(dyn_cast_or_null<DIFile>(v->getRawFile()));
    return v->getLine();
  }
  return 0;
}

unsigned taw_di_argument(LLVMMetadataRef m) {
  auto *v = node<DILocalVariable>(m);
  return v ? v->getArg() : 0;
}

// The parts of a function type (result first, null for void) or the subranges of an array.
unsigned taw_di_count(LLVMMetadataRef m) {
  if (auto *t = node<DISubroutineType>(m))
    return t->getTypeArray().size();
  if (auto *t = node<DICompositeType>(m))
    return t->getElements().size();
  return 0;
}

LLVMMetadataRef taw_di_element(LLVMMetadataRef m, unsigned i) {
  if (auto *t = node<DISubroutineType>(m))
    return i < t->getTypeArray().size() ? wrap(t->getTypeArray()[i]) : nullptr;
  if (auto *t = node<DICompositeType>(m))
    return i < t->getElements().size() ? wrap(t->getElements()[i]) : nullptr;
  return nullptr;
}

// Size of a type, and offset of a member in its structure, in bits.
uint64_t taw_di_size(LLVMMetadataRef m, uint64_t *offset) {
  auto *t = node<DIType>(m);
  *offset = t ? t->getOffsetInBits() : 0;
  return t ? t->getSizeInBits() : 0;
}

// The encoding of a basic type, as DWARF numbers them.
unsigned taw_di_encoding(LLVMMetadataRef m) {
  auto *t = node<DIBasicType>(m);
  return t ? t->getEncoding() : 0;
}

// 1: only declared; 2: a bit field; 4: a static member.
unsigned taw_di_flags(LLVMMetadataRef m) {
  auto *t = node<DIType>(m);
  return t ? (t->isForwardDecl() ? 1 : 0) | (t->isBitField() ? 2 : 0) | (t->isStaticMember() ? 4 : 0) : 0;
}

int64_t taw_di_enumerator(LLVMMetadataRef m) {
  auto *e = node<DIEnumerator>(m);
  return e ? (int64_t)e->getValue().sextOrTrunc(64).getSExtValue() : 0;
}

int64_t taw_di_subrange(LLVMMetadataRef m) {
  auto *r = node<DISubrange>(m);
  if (!r)
    return -1;
  auto *count = dyn_cast_if_present<ConstantInt *>(r->getCount());
  return count ? count->getSExtValue() : -1;
}

LLVMMetadataRef taw_di_global(LLVMValueRef v) {
  auto *g = dyn_cast<GlobalVariable>(unwrap(v));
  if (!g)
    return nullptr;
  SmallVector<DIGlobalVariableExpression *, 1> all;
  g->getDebugInfo(all);
  return all.empty() ? nullptr : wrap(all[0]->getVariable());
}

// Whether the expression is empty: the record's value is the variable itself.
int taw_di_plain(LLVMMetadataRef m) {
  auto *e = node<DIExpression>(m);
  return e && e->getNumElements() == 0;
}

// The value and variable of a debug record that has exactly one value; 1 for an address, 2 for a value, 0 for neither.
int taw_dbg_record(LLVMDbgRecordRef r, LLVMValueRef *value, LLVMMetadataRef *variable, LLVMMetadataRef *expression) {
  auto *record = dyn_cast<DbgVariableRecord>(unwrap(r));
  if (!record || record->getNumVariableLocationOps() != 1)
    return 0;
  bool declares = record->isDbgDeclare() || record->isDbgAssign();
  Value *v = record->isDbgAssign() ? record->getAddress() : record->getVariableLocationOp(0);
  if (!v)
    return 0;
  *value = wrap(v);
  *variable = wrap(record->getRawVariable());
  *expression = wrap(record->isDbgAssign() ? record->getAddressExpression() : record->getExpression());
  return declares ? 1 : 2;
}

} // extern "C"
