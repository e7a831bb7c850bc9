import type { Command, ParsedScript, PipelineNode, Word } from 'unbash'

/** `$(cat <<'EOF' …)` is the text of its here-document: undefined for anything else. */
export function hereText(script: ParsedScript): string | undefined {
  const command = only(script)
  return command && hereDocument(command)
}

function hereDocument(command: Command): string | undefined {
  if (command.name?.text !== 'cat' || command.args.length || command.prefix.length) return undefined
  const [here, ...more] = command.redirects
  if (here?.type !== 'HereDoc' || more.length || here.operator !== '<<' || !here.closing)
    return undefined
  const plain = here.delimiter?.quoted || !/[$`\\]/.test(here.body.text)
  if (!plain || here.descriptor) return undefined
  let { length } = here.body.text
  while (here.body.text[length - 1] === '\n') length--
  return here.body.text.slice(0, length)
}

/** What a script will print, if it only prints plain text. */
export function printedText(script: ParsedScript): string | undefined {
  const command = only(script)
  return command && printed(command)
}

/** What `echo`, `printf` or `cat <<EOF` will print, if that is known; `printf`'s format only roughly: it is read for denies. */
export function printed(command: PipelineNode): string | undefined {
  if (command.type !== 'Command') return undefined
  if (command.redirects.length) return hereDocument(command)
  const words = command.args.filter((word): word is Word => word.type === 'Word')
  if (words.length !== command.args.length || words.some((word) => !isPlain(word))) return undefined
  const values = words.map((word) => word.value)
  if (command.name?.value === 'echo') {
    const first = values.findIndex((value) => !/^-[neE]+$/.test(value))
    return first < 0 ? '' : values.slice(first).join(' ')
  }
  if (command.name?.value !== 'printf') return undefined
  const [format = '', ...texts] = values
  const [start = '', ...pieces] = format.replaceAll('\\n', '\n').split('%s')
  let text = ''
  // The format is used again until no text is left.
  do text += start + pieces.map((piece) => (texts.shift() ?? '') + piece).join('')
  while (pieces.length && texts.length)
  return text
}

/**
 * The names that a command prints, whether spaces or lines separate them; undefined: not every character is certain, or
 * one would be read as something else than a name.
 */
export function printedNames(command: PipelineNode): readonly string[] | undefined {
  const text = isExact(command) ? printed(command) : undefined
  if (text === undefined) return undefined
  const names = text.split(/\s+/).filter(Boolean)
  if (!names.every(isOneName)) return undefined
  return [...new Set([...names, ...text.split('\n').filter(Boolean)])]
}

/** Whether what is printed is known to the letter: a format of `printf` may say more than where texts and lines end. */
function isExact(command: PipelineNode): boolean {
  if (command.type !== 'Command' || command.name?.value !== 'printf') return true
  const [format] = command.args
  return format?.type === 'Word' && /^(?!-)(?:[^%\\]|%s|\\n)*$/.test(format.value)
}

/** Whether a reader that splits at blanks and interprets quotes takes this name as it is, and not as an option. */
export const isOneName = (name: string): boolean => /^[^-\s'"\\][^\s'"\\]*$/.test(name)

function only(script: ParsedScript): Command | undefined {
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
