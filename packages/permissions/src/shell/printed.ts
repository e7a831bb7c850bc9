import type { Command, ParsedScript, PipelineNode, Word } from 'unbash'

/**
 * The text of the here-document in `$(cat <<'EOF' …)`, or of a here-string. Undefined for any other
 * script.
 */
export function hereText(script: ParsedScript): string | undefined {
  const command = only(script)
  return command && hereDocument(command)
}

function hereDocument(command: Command): string | undefined {
  if (command.name?.text !== 'cat' || command.args.length || command.prefix.length) return undefined
  const [here, ...more] = command.redirects
  if (here?.type === 'HereString' && !more.length && here.target && !here.descriptor)
    return isPlain(here.target) ? withoutLineEnds(here.target.value) : undefined
  if (here?.type !== 'HereDoc' || more.length || here.operator !== '<<' || !here.closing)
    return undefined
  const plain = here.delimiter?.quoted || !/[$`\\]/.test(here.body.text)
  if (!plain || here.descriptor) return undefined
  return withoutLineEnds(here.body.text)
}

function withoutLineEnds(text: string): string {
  let { length } = text
  while (text[length - 1] === '\n') length--
  return text.slice(0, length)
}

/** The output of a script, if it only prints plain text. */
export function printedText(script: ParsedScript): string | undefined {
  const command = only(script)
  return command && printed(command)
}

/**
 * The output of `echo`, `printf` or `cat <<EOF`, if known. The output of `printf` is only
 * approximate, for deny rules.
 */
export function printed(command: PipelineNode): string | undefined {
  if (command.type !== 'Command') return undefined
  if (command.redirects.length) return hereDocument(command)
  const name = command.name?.value
  if (name !== 'echo' && name !== 'printf') return undefined
  const words = command.args.filter((word): word is Word => word.type === 'Word')
  if (words.length !== command.args.length || words.some((word) => !isPlain(word))) return undefined
  const values = words.map((word) => word.value)
  if (name === 'echo') {
    const first = values.findIndex((value) => !/^-[neE]+$/.test(value))
    return first < 0 ? '' : values.slice(first).join(' ')
  }
  const [format = '', ...texts] = values
  const [start = '', ...pieces] = format.replaceAll('\\n', '\n').split('%s')
  let text = ''
  // The format is reused as long as arguments remain.
  do text += start + pieces.map((piece) => (texts.shift() ?? '') + piece).join('')
  while (pieces.length && texts.length)
  return text
}

/**
 * The file names that a command prints, separated by spaces or newlines. Undefined if any character
 * is uncertain, or if a name may be read as something else.
 */
export function printedNames(command: PipelineNode): readonly string[] | undefined {
  const text = isExact(command) ? printed(command) : undefined
  if (text === undefined) return undefined
  const names = text.split(/\s+/).filter(Boolean)
  if (!names.every(isUnquotedName)) return undefined
  return [...new Set([...names, ...text.split('\n').filter(Boolean)])]
}

/**
 * True if a program that splits at whitespace and interprets quotes reads this as one name and not
 * as an option.
 */
export const isUnquotedName = (name: string): boolean => /^[^-\s'"\\][^\s'"\\]*$/.test(name)

/**
 * True if the output is known exactly: the format of `printf` may contain only `%s`, `\n` and
 * literal text.
 */
function isExact(command: PipelineNode): boolean {
  if (command.type !== 'Command' || command.name?.value !== 'printf') return true
  const [format] = command.args
  return format?.type === 'Word' && /^(?!-)(?:[^%\\]|%s|\\n)*$/.test(format.value)
}

/** The only command of a script, if it is a simple command. Otherwise undefined. */
export function only(script: ParsedScript): Command | undefined {
  const [statement, ...more] = script.commands
  if (!statement || more.length || statement.background || script.errors?.length) return undefined
  return statement.command.type === 'Command' ? statement.command : undefined
}

const isPlain = (word: Word): boolean =>
  !word.parts ||
  word.parts.every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every((child) => child.type === 'Literal')),
  )
