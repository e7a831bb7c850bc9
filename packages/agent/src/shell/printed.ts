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
  if (command.name?.value === 'echo')
    return values.filter((value) => !/^-[neE]+$/.test(value)).join(' ')
  if (command.name?.value !== 'printf') return undefined
  const [format = '', ...rest] = values
  const pieces = format.split('%s')
  return pieces
    .map((piece, index) => (index ? (rest[index - 1] ?? '') : '') + piece)
    .join('')
    .replaceAll('\\n', '\n')
}

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
