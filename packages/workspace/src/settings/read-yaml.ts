import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { MAX_DEPTH, type Entry, type Fault, type Item, type Outline, type Plain } from './item.ts'

/** Reads the subset of YAML used in rules: maps, lists and strings, but no anchors or tags. */
export function readYaml(text: string): Outline {
  const unfit = unfitLine(text)
  if (unfit) return { faults: [unfit] }
  const lines = new LineCounter()
  const faults: Fault[] = []
  const lineAt = (offset: number | undefined): number => lines.linePos(offset ?? 0).line || 1

  // The caller finds duplicate keys in linear time.
  const document = parseDocument(text, {
    lineCounter: lines,
    logLevel: 'error',
    prettyErrors: false,
    uniqueKeys: false,
  })
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    faults.push({ line: lineAt(pos[0]), reason: `invalid YAML: ${message.split('\n')[0]!}` })
  }
  if (!document.contents)
    faults.push({ line: 1, reason: 'the file is empty. Write at least permissions:' })
  const root = document.contents && itemOf(document.contents as Node, 0)
  return { root: root || undefined, faults }

  function itemOf(node: Node | null | undefined, depth: number): Item | undefined {
    const line = lineAt(node?.range?.[0])
    const refuse = (reason: string): undefined => void faults.push({ line, reason })

    if (!node) return { kind: 'plain', line, value: null }
    if (depth > MAX_DEPTH) return refuse(`nested more than ${MAX_DEPTH} levels deep`)
    if (isAlias(node)) return refuse(`aliases are not supported: *${node.source}`)
    if (node.tag?.startsWith('!')) return refuse(`tags are not supported: ${node.tag}`)
    if (isScalar(node)) return { kind: 'plain', line, value: plainOf(node.value) }
    if (isSeq(node)) {
      const items = (node.items as Node[]).map((item) => itemOf(item, depth + 1))
      return { kind: 'list', line, items: items.filter((item) => item !== undefined) }
    }
    if (!isMap(node)) return refuse('only maps, lists and strings are supported')
    return { kind: 'map', line, entries: entriesOf(node.items as Pair[], depth) }
  }

  function entriesOf(pairs: readonly Pair[], depth: number): Entry[] {
    return pairs.flatMap(({ key, value }) => {
      const line = lineAt(key?.range?.[0])
      if (!isScalar(key)) {
        faults.push({ line, reason: 'keys must be strings' })
        return []
      }
      const item = itemOf(value ?? undefined, depth + 1)
      return item ? [{ key: String(key.value), line, item: value ? item : { ...item, line } }] : []
    })
  }
}

interface Pair {
  readonly key: Node | null
  readonly value: Node | null
}

/** Rejects text so long or so deeply nested that the library would crash the process. */
function unfitLine(text: string): Fault | undefined {
  if (text.length > LONGEST)
    return { line: 1, reason: `longer than ${LONGEST} characters. Write it as JSON instead` }
  let line = 1
  let flow = 0
  let leading = 0
  let isLeading = true
  for (const character of text) {
    if (character === '\n') {
      line++
      leading = 0
      isLeading = true
      continue
    }
    isLeading &&= ' \t-?:[{'.includes(character)
    if (isLeading) leading++
    if (character === '[' || character === '{') flow++
    if ((character === ']' || character === '}') && flow > 0) flow--
    if (flow > MAX_DEPTH || leading > 4 * MAX_DEPTH) return { line, reason: 'nested too deeply' }
  }
  return undefined
}

const LONGEST = 1 << 16

function plainOf(value: unknown): Plain {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null
}
