import type { Call, Malformed, RepairDetail } from '@toolglot/core'
import { type CallChecker, realRepairs } from './call-problems.ts'
import { type Excerpt, FACTS, type Item, type ShownRepair, type Place } from './item.ts'
import { KINDS, type Pieces } from './messages.ts'

/** The maximum length of an excerpt in the list. */
const MAX_EXCERPT = 300
const MAX_VALUE = 600
const MAX_ARGS = 12
const MAX_REPAIRS = 8
/** The maximum number of places shown for a repair. */
const MAX_PLACES = 2

/** The list's item for a piece. */
export function itemOf(
  text: string,
  { kinds, ends }: Pieces,
  at: number,
  value: Call | Malformed | undefined,
  check: CallChecker,
): Item {
  const from = at === 0 ? 0 : ends[at - 1]!
  const to = ends[at]!
  const kind = KINDS[kinds[at]!]!
  const where = { at, from, to }
  if (value && 'args' in value) return { ...where, kind: 'call', ...callOf(value, check) }
  if (value) {
    const { problem, hint } = value
    const place = excerptAt(text, value.at, lineAt(text, value.at))
    return { ...where, kind: 'malformed', problem, hint: withoutFound(hint).slice(0, 1000), place }
  }
  const shown = kind === 'reasoning' || kind === 'made-up' ? kind : 'text'
  // Leading whitespace would hide the text.
  const start = from + text.slice(from, to).search(/\S|$/)
  return { ...where, kind: shown, excerpt: excerptOf(text.slice(start, to), MAX_EXCERPT) }
}

/** Removes the “, found …” part of a hint: that text is shown just above. */
function withoutFound(hint: string): string {
  const at = hint.lastIndexOf(', found "')
  return at < 0 ? hint : `${hint.slice(0, at)}.`
}

type CallItem = Omit<Extract<Item, { kind: 'call' }>, 'kind' | 'at' | 'from' | 'to'>

function callOf(call: Call, check: CallChecker): CallItem {
  const args = Object.entries(call.args)
  return {
    name: call.name,
    protocol: call.protocol,
    isComplete: call.complete,
    args: args.slice(0, MAX_ARGS).map(([name, value]) => ({
      name,
      value: excerptOf(JSON.stringify(value) ?? '', MAX_VALUE),
    })),
    argsLeft: Math.max(0, args.length - MAX_ARGS),
    reason: call.reasoning === undefined ? undefined : call.reasoning.slice(0, MAX_EXCERPT),
    repairs: repairsOf(call),
    facts: FACTS.filter((fact) => call[fact]),
    problems: check(call),
  }
}

/** The repairs of a call: with their places if known, otherwise only their names. */
function repairsOf(call: Call): readonly ShownRepair[] {
  const { details } = call
  return [...new Set(realRepairs(call))].slice(0, MAX_REPAIRS).map((name) => {
    const places = details?.filter((each) => each.name === name) ?? []
    return {
      name,
      places: places.slice(0, MAX_PLACES).map(placeOfRepair),
      left: Math.max(0, places.length - MAX_PLACES),
    }
  })
}

function placeOfRepair({ was, became }: RepairDetail): ShownRepair['places'][number] {
  return { was: excerptOf(was, 80), became: excerptOf(became, 80) }
}

function excerptOf(text: string, max: number): Excerpt {
  return { text: text.slice(0, max), left: Math.max(0, text.length - max) }
}

/** The number of characters shown of a line before and after a place. */
const BEFORE = 32
const AFTER = 24

/** A place with an excerpt of its line, whose number is `line`. */
export function excerptAt(text: string, at: number, line: number): Place {
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - BEFORE)
  const here = text.slice(at, at + 1)
  const lineEnd = text.indexOf('\n', at)
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, at + 1 + AFTER)
  return {
    at,
    line,
    before: text.slice(start, at),
    here,
    after: here === '\n' ? '' : text.slice(at + 1, end),
  }
}

/** The number of the line that contains an offset, from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1))
    line++
  return line
}
