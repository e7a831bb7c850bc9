import {
  type CallPart,
  callState,
  type Item,
  type MadeUpPart,
  type MalformedPart,
  type NoticeItem,
  type PromptItem,
  type RunEnd,
  type TextPart,
  type TurnItem,
} from '@toolglot/react/view'
import { isQuiet } from './call-look.ts'
import { createTextBlocks, type CutText, type TextBlock } from './text-blocks.ts'

/** One row of the conversation. `key` is unique and stable. */
export type Row =
  | { readonly type: 'prompt'; readonly key: string; readonly item: PromptItem }
  | { readonly type: 'turn'; readonly key: string; readonly item: TurnItem }
  | {
      readonly type: 'reasoning'
      readonly key: string
      readonly part: TextPart
      readonly isOpen: boolean
    }
  | {
      readonly type: 'text'
      readonly key: string
      readonly block: TextBlock
      readonly isOpen: boolean
    }
  | { readonly type: 'call'; readonly key: string; readonly part: CallPart }
  | { readonly type: 'ask'; readonly key: string; readonly part: CallPart }
  | {
      readonly type: 'group'
      readonly key: string
      readonly calls: readonly CallPart[]
      readonly isUnfolded: boolean
    }
  /** A call in the group above. */
  | {
      readonly type: 'grouped'
      readonly key: string
      readonly part: CallPart
      readonly isLast: boolean
    }
  | {
      readonly type: 'malformed'
      readonly key: string
      readonly part: MalformedPart
      /** The turn to open in the Parser; undefined until it is recorded. */
      readonly turn: number | undefined
    }
  | { readonly type: 'made-up'; readonly key: string; readonly part: MadeUpPart }
  | { readonly type: 'notice'; readonly key: string; readonly item: NoticeItem }
  | { readonly type: 'end'; readonly key: string; readonly item: RunEnd }

/** The rows that the user has folded or unfolded, by key. Other rows have their default state. */
export type Unfolded = ReadonlyMap<string, boolean>

/**
 * Returns the rows of a conversation, reusing the objects of unchanged rows. If the run
 * `isRecorded`, pending calls are shown without asking the user.
 */
export function createRows(
  isRecorded = false,
): (items: readonly Item[], unfolded: Unfolded) => readonly Row[] {
  const known = new Map<string, { item: Item; unfolded: Unfolded; rows: readonly Row[] }>()
  const blocksOf = createBlocks()
  return (items, unfolded) =>
    items.flatMap((item) => {
      const before = known.get(item.id)
      if (before?.item === item && before.unfolded === unfolded) return before.rows
      const rows = sameRows(before?.rows, rowsOf(item, unfolded, blocksOf, isRecorded))
      known.set(item.id, { item, unfolded, rows })
      return rows
    })
}

type BlocksOf = (part: TextPart, isOpen: boolean) => readonly TextBlock[]

/** Splits texts into blocks. For a text that is being written, only the added part is parsed. */
function createBlocks(): BlocksOf {
  const known = new WeakMap<TextPart, readonly TextBlock[]>()
  let growing: { readonly id: string; readonly cut: CutText } | undefined
  return (part, isOpen) => {
    let blocks = known.get(part)
    if (blocks && !isOpen) return blocks
    const cut = growing?.id === part.id ? growing.cut : createTextBlocks()
    if (isOpen) growing = { id: part.id, cut }
    blocks = cut(part.text, isOpen)
    if (!isOpen) known.set(part, blocks)
    return blocks
  }
}

function rowsOf(
  item: Item,
  unfolded: Unfolded,
  blocksOf: BlocksOf,
  isRecorded: boolean,
): readonly Row[] {
  const key = item.id
  switch (item.type) {
    case 'prompt':
      return [{ type: 'prompt', key, item }]
    case 'notice':
      return [{ type: 'notice', key, item }]
    case 'end':
      return item.reason === 'answer' ? [] : [{ type: 'end', key, item }]
    case 'turn':
      return rowsOfTurn(item, unfolded, blocksOf, isRecorded)
  }
}

function rowsOfTurn(
  turn: TurnItem,
  unfolded: Unfolded,
  blocksOf: BlocksOf,
  isRecorded: boolean,
): readonly Row[] {
  const rows: Row[] = [{ type: 'turn', key: turn.id, item: turn }]
  let quiet: CallPart[] = []
  const flush = (): void => {
    if (quiet.length === 0) return
    const [part] = quiet as [CallPart]
    if (quiet.length === 1) rows.push({ type: 'call', key: part.id, part })
    else pushGroup(rows, quiet, unfolded)
    quiet = []
  }
  turn.parts.forEach((part, at) => {
    const isOpen = turn.isOpen && at === turn.parts.length - 1
    if (part.type === 'call') {
      // An unfolded call is not hidden in a group.
      if (isQuiet(part) && !(unfolded.size > 0 && unfolded.get(part.id))) {
        quiet.push(part)
        return
      }
      flush()
      const isAsked = !isRecorded && callState(part) === 'asking'
      rows.push({ type: isAsked ? 'ask' : 'call', key: part.id, part })
      return
    }
    if (part.type === 'text') {
      const blocks = blocksOf(part, isOpen)
      if (blocks.length > 0) flush()
      blocks.forEach((block, index) =>
        rows.push({
          type: 'text',
          key: `${part.id}:${index}`,
          block,
          isOpen: isOpen && index === blocks.length - 1,
        }),
      )
      return
    }
    flush()
    const { id: key } = part
    if (part.type === 'malformed')
      rows.push({
        ...{ type: 'malformed', key, part },
        turn: turn.isOpen || turn.isUnfinished ? undefined : turn.turn,
      })
    else if (part.type === 'made-up') rows.push({ type: 'made-up', key, part })
    else rows.push({ type: 'reasoning', key, part, isOpen })
  })
  flush()
  return rows
}

function pushGroup(rows: Row[], calls: readonly CallPart[], unfolded: Unfolded): void {
  const key = `group:${calls[0]!.id}`
  const isUnfolded = unfolded.get(key) ?? false
  rows.push({ type: 'group', key, calls, isUnfolded })
  if (!isUnfolded) return
  calls.forEach((part, at) =>
    rows.push({
      type: 'grouped',
      key: `grouped:${part.id}`,
      part,
      isLast: at === calls.length - 1,
    }),
  )
}

/** Returns the previous object of each unchanged row, so that it is not drawn again. */
function sameRows(before: readonly Row[] | undefined, rows: readonly Row[]): readonly Row[] {
  if (!before) return rows
  return rows.map((row, at) => (isSame(before[at], row) ? before[at] : row))
}

function isSame(before: Row | undefined, row: Row): before is Row {
  if (before?.key !== row.key || before.type !== row.type) return false
  // A reply may contain thousands of texts.
  if (row.type === 'text' && before.type === 'text')
    return before.block === row.block && before.isOpen === row.isOpen
  const old = before as unknown as Record<string, unknown>
  return Object.entries(row).every(
    ([name, value]) => old[name] === value || isSameList(old[name], value),
  )
}

function isSameList(before: unknown, list: unknown): boolean {
  return (
    Array.isArray(before) &&
    Array.isArray(list) &&
    before.length === list.length &&
    list.every((each, at) => each === before[at])
  )
}
