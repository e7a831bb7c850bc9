import type { CallPart, Item, Part } from '@toolglot/react/view'
import { describe, expect, test } from 'vitest'
import { callPart, turnItem } from './example-parts.ts'
import { groupFacts } from '../calls/grouped-calls.tsx'
import { createRows, type Row, type Unfolded } from './rows.ts'
import { isLong } from '../../../../../tests/helpers/size.ts'

const success = { status: 'success', text: 'ok', started: 1, duration: 20 } as const
const done = (id: string, more: Parameters<typeof callPart>[0] = {}): CallPart =>
  callPart({ id, outcome: success, ...more })
const text = (id: string, words: string): Part => ({ type: 'text', id, text: words, at: 0 })
const rowsOf = (items: readonly Item[], unfolded: Unfolded = new Map()): readonly Row[] =>
  createRows()(items, unfolded)
const types = (rows: readonly Row[]): string => rows.map(({ type }) => type).join(' ')

describe('rows', () => {
  test('converts a conversation in order', () => {
    const rows = rowsOf([
      { type: 'prompt', id: 'p', text: 'Hi', images: 0, time: 0, turn: 0 },
      turnItem({
        parts: [
          { type: 'reasoning', id: 'r', text: 'hm', at: 0 },
          text('t', 'One.\n\nTwo.'),
          done('a'),
          { type: 'made-up', id: 'm', text: 'fake' },
        ],
      }),
      { type: 'end', id: 'e', reason: 'max_iterations' },
    ])
    expect(types(rows)).toBe('prompt turn reasoning text text call made-up end')
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  })

  test('an answer has no row for the end', () => {
    expect(rowsOf([{ type: 'end', id: 'e', reason: 'answer' }])).toEqual([])
  })

  test('groups calls that need no attention, despite whitespace between them', () => {
    const parts = [done('a'), text('n', '\n'), done('b'), text('x', 'And'), done('c')]
    expect(types(rowsOf([turnItem({ parts })]))).toBe('turn group text call')
  })

  test('does not group a running, pending or failed call', () => {
    const failed = done('f', { outcome: { ...success, status: 'error' } })
    const approval = { key: 'k', request: {} as never, args: {}, since: 0 }
    const parts = [
      done('a'),
      done('b'),
      failed,
      callPart({ id: 'q', approval }),
      callPart({ id: 'r', started: 1 }),
      done('c'),
      done('d'),
    ]
    expect(types(rowsOf([turnItem({ parts })]))).toBe('turn group call ask call group')
  })

  test('an unfolded call keeps its place when others join', () => {
    const parts = [done('a'), done('b'), done('c')]
    const rows = rowsOf([turnItem({ parts })], new Map([['b', true]]))
    expect(types(rows)).toBe('turn call call call')
  })

  test('an unfolded group shows its calls and marks the last one', () => {
    const unfolded = new Map([['group:a', true]])
    const rows = rowsOf([turnItem({ parts: [done('a'), done('b')] })], unfolded)
    expect(types(rows)).toBe('turn group grouped grouped')
    expect(rows.flatMap((row) => (row.type === 'grouped' ? [row.isLast] : []))).toEqual([
      false,
      true,
    ])
  })

  test('only the last block of the last part is open', () => {
    const parts = [text('t', 'One.\n\nTwo.')]
    const isOpen = (item: Item): boolean[] =>
      rowsOf([item]).flatMap((row) => (row.type === 'text' ? [row.isOpen] : []))
    expect(isOpen(turnItem({ parts, isOpen: true }))).toEqual([false, true])
    expect(isOpen(turnItem({ parts }))).toEqual([false, false])
  })

  test('reuses the row objects of unchanged turns', () => {
    const rows = createRows()
    const unfolded = new Map<string, boolean>()
    const one = turnItem({ parts: [done('a')] })
    const before = rows([one, turnItem({ turn: 1 })], unfolded)
    const after = rows([one, turnItem({ turn: 1, parts: [done('b')] })], unfolded)
    expect(after[1]).toBe(before[1])
    expect(after.at(-1)).not.toBe(before.at(-1))
  })

  test('reuses equal row objects of the turn in progress', () => {
    const rows = createRows()
    const calls = [done('a'), done('b')]
    const turnWith = (words: string): Item =>
      turnItem({ parts: [...calls, text('t', words)], isOpen: true })
    const unfolded = new Map<string, boolean>()
    const before = rows([turnWith('One.\n\nTwo')], unfolded)
    const after = rows([turnWith('One.\n\nTwo.\n\nThree')], unfolded)
    expect(types(after)).toBe('turn group text text text')
    expect(after.map((row) => before.includes(row))).toEqual([false, true, true, false, false])
    const folded = rows([turnWith('One.\n\nTwo.\n\nThree')], new Map([['x', true]]))
    expect(folded.slice(1)).toEqual(after.slice(1))
    expect(folded[1]).toBe(after[1])
  })

  test('thousands of calls take two rows', () => {
    const count = isLong ? 100_000 : 10_000
    const notRun = { status: 'not_run', text: '', started: 1, duration: 0 } as const
    const parts = Array.from({ length: count }, (_, at) =>
      done(`c${at}`, at < 16 ? {} : { outcome: notRun }),
    )
    const rows = rowsOf([turnItem({ parts })])
    expect(types(rows)).toBe('turn group')
    expect(groupFacts(parts)).toMatchObject({ tools: [['Read', count]], notRun: count - 16 })
  })
})

describe('groupFacts', () => {
  test('counts tools, repairs and time', () => {
    const calls = [
      done('a', { name: 'Grep' }),
      done('b', { repairs: ['coerced', 'trailing-comma'] }),
      done('c', { repairs: ['coerced'] }),
      callPart({ id: 'd' }),
    ]
    expect(groupFacts(calls)).toEqual({
      tools: [
        ['Read', 3],
        ['Grep', 1],
      ],
      repairs: ['coerced', 'trailing-comma'],
      repairCount: 3,
      duration: 60,
      queued: 1,
      notRun: 0,
    })
  })
})
