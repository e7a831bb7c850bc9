/** A longer text without a place to cut is shown as plain text. */
const MAX_BLOCK = 4 << 10

/**
 * The maximum nesting of lists and quotations. Each level is a recursive call of the code that
 * parses and draws it.
 */
const MAX_DEPTH = 20

/** The maximum number of marks in a block: pairing them takes quadratic time. */
const MAX_MARKS = 600

const MAX_PIPES = 1000

/** A piece of Markdown that can be drawn independently. */
export type TextBlock =
  | { readonly type: 'markdown'; readonly text: string }
  /** A fenced code block, without its fences. */
  | { readonly type: 'code'; readonly text: string; readonly language: string }
  /** Too long or too deep to parse as Markdown. */
  | { readonly type: 'plain'; readonly text: string }

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/
const INNER_FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})[^`]*$/
const DEFINITION = /^ {0,3}\[[^\]^][^\]]*\]:\s*\S/
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/
/** A longer list or paragraph continues in a separate block. */
const LONG = 3 << 10
/** Each definition is added to the blocks that may use it. */
const MAX_LINKS = 40
const MAX_LINK = 400

/** The state of cutting a text. Everything before the open block is final. */
interface Cut {
  /** The start of the next line. */
  readonly at: number
  /** The start of the open block: a paragraph, or the content of a fence. */
  readonly start?: number
  readonly isList?: boolean
  readonly isTable?: boolean
  readonly isAfterBlank?: boolean
  readonly fence?: { readonly mark: string; readonly language: string }
  /** A fence inside a list or quotation stays part of it. */
  readonly innerFence?: string
}

/** Cuts Markdown into blocks, so that only the last block is parsed again while the text grows. */
export function textBlocks(text: string): readonly TextBlock[] {
  return createTextBlocks()(text, false)
}

/** Cuts a text whose end may still be written. */
export type CutText = (text: string, isOpen: boolean) => readonly TextBlock[]

/**
 * Returns a function that cuts a growing text. It parses only the added part, and the blocks before
 * the last one stay the same objects, unless the text defines links.
 */
export function createTextBlocks(): CutText {
  let before = ''
  let done: TextBlock[] = []
  let definitions: string[] = []
  let cut: Cut = { at: 0 }
  let linked = new WeakMap<TextBlock, TextBlock>()
  let shown: readonly TextBlock[] = []
  return (text, isOpen) => {
    if (!text.startsWith(before)) {
      done = []
      definitions = []
      cut = { at: 0 }
    }
    before = text
    const count = definitions.length
    const final = done.length
    for (let end = text.indexOf('\n', cut.at); end >= 0; end = text.indexOf('\n', cut.at))
      cut = readLine(text, cut, end, done, definitions)
    if (definitions.length !== count) linked = new WeakMap()
    // The last line is incomplete: its kind may still change.
    const last: TextBlock[] = []
    const all = [...definitions]
    closeBlock(text, readLine(text, cut, text.length, last, all), text.length, last)
    for (let at = final; at < done.length; at++) done[at] = asBefore(shown[at], done[at]!)
    const blocks = [...done, ...last.map((block, at) => asBefore(shown[done.length + at], block))]
    shown = blocks
    // A definition counts only once complete; otherwise each of its characters would redraw all
    // blocks.
    if (!isOpen && all.length > definitions.length)
      return blocks.map((block) => withLinks(block, all))
    if (definitions.length === 0) return blocks
    return blocks.map((block) => {
      let found = linked.get(block)
      if (!found) linked.set(block, (found = withLinks(block, definitions)))
      return found
    })
  }
}

/** Processes one line, which ends at `end`, and adds the blocks that end before it. */
function readLine(
  text: string,
  cut: Cut,
  end: number,
  blocks: TextBlock[],
  definitions: string[],
): Cut {
  const { at, start, fence, innerFence, isAfterBlank, isList } = cut
  const line = text.slice(at, end)
  const next = { ...cut, at: end + 1 }
  if (fence) {
    if (!closes(line, fence.mark)) return next
    closeBlock(text, cut, at - 1, blocks)
    return { at: end + 1 }
  }
  if (innerFence !== undefined)
    return closes(line.trim(), innerFence) ? without(next, 'innerFence') : next
  if (line.trim() === '') return start === undefined ? next : { ...next, isAfterBlank: true }

  const isIndented = /^(?: {2}|\t)/.test(line)
  const isInItem = isList === true && isIndented
  const opened = isInItem ? null : FENCE.exec(line)
  const isItem = LIST_ITEM.test(line)
  const isLong = start !== undefined && at - start > LONG
  const isNew =
    start === undefined ||
    opened !== null ||
    (isAfterBlank === true && !isInItem) ||
    (isLong && (isList ? isItem : !cut.isTable))
  if (isNew) closeBlock(text, cut, at, blocks)
  if (opened)
    return {
      at: end + 1,
      start: end + 1,
      fence: { mark: opened[1]!, language: opened[2] ?? '' },
    }
  if (DEFINITION.test(line) && definitions.length < MAX_LINKS && line.length < MAX_LINK)
    definitions.push(line)
  const inner = INNER_FENCE.exec(line)?.[1]
  return {
    at: end + 1,
    start: isNew ? at : start,
    isList: isNew ? isItem : isList === true,
    isTable: isNew ? /^\s*\|/.test(line) : cut.isTable === true,
    innerFence: inner,
  }
}

/** Adds the open block, if any, which ends at `end`. */
function closeBlock(text: string, { start, fence }: Cut, end: number, blocks: TextBlock[]): void {
  if (start === undefined) return
  const content = text.slice(start, Math.max(start, end))
  if (fence) {
    blocks.push({ type: 'code', text: content, language: fence.language })
    return
  }
  const trimmed = content.trimEnd()
  blocks.push({ type: isHardToRead(trimmed) ? 'plain' : 'markdown', text: trimmed })
}

function closes(line: string, mark: string): boolean {
  const trimmed = line.trim()
  return (
    trimmed.length >= mark.length &&
    trimmed === mark[0]!.repeat(trimmed.length) &&
    /^ {0,3}\S/.test(line)
  )
}

function without(cut: Cut, key: 'innerFence'): Cut {
  const { [key]: _, ...rest } = cut
  return rest
}

function asBefore(before: TextBlock | undefined, block: TextBlock): TextBlock {
  const isSame =
    before?.type === block.type &&
    before.text === block.text &&
    (before.type !== 'code' || block.type !== 'code' || before.language === block.language)
  return isSame ? before : block
}

/** A link may be defined in another block than the one that uses it. */
function withLinks(block: TextBlock, definitions: readonly string[]): TextBlock {
  if (block.type !== 'markdown' || !block.text.includes(']')) return block
  return { ...block, text: `${block.text}\n\n${definitions.join('\n')}` }
}

/** True if a text would take too long to parse as Markdown, or is nested too deeply to draw. */
function isHardToRead(text: string): boolean {
  if (text.length > MAX_BLOCK) return true
  return (
    countOf(text, /[*_~[\]`<&\\!]/g) > MAX_MARKS ||
    countOf(text, /\|/g) > MAX_PIPES ||
    text.split('\n').some((line) => depthOf(line) > MAX_DEPTH)
  )
}

/** The number of quotations and lists that a line starts or may be nested in. */
function depthOf(line: string): number {
  const [start = ''] = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))*/.exec(line) ?? []
  const markers = countOf(start, /[>*+-]|\d+[.)]/g)
  const indent = /^\s*/.exec(line)![0].replaceAll('\t', '    ').length
  return markers + Math.floor(indent / 4)
}

function countOf(text: string, marks: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(marks)) count++
  return count
}
