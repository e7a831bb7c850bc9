/** Why an awk program cannot be proved harmless: it may run, write, or read what no operand names. */
export function awkDoubt(program: string): string | undefined {
  const WHY = 'its program may run commands, write, or read other files'
  if (REACHES.test(program)) return WHY
  if (/\|/.test(program.replaceAll('||', ''))) return WHY
  // Without a slash there is no regular expression, so quotes are quotes.
  const code =
    program.includes('/') || program.includes('\\') ? program : program.replace(/"[^"\n]*"/g, '""')
  // Where a `print` ends is hard to tell: a `>` after it may be its own.
  const prints = code.indexOf('print')
  if (prints >= 0 && code.includes('>', prints)) return WHY
  return undefined
}

/** The functions and variables of the language that lead out of it; `SYMTAB` and `FUNCTAB` hold all others by name. */
const REACHES = /system|getline|ENVIRON|PROCINFO|ARG[VCI]|SYMTAB|FUNCTAB|@|close|fflush/
