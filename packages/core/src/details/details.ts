// Folder: The inspector, which shows how each part of a reply was parsed.
import type { CallBuilder } from '../read/call-builder.ts'
import type { Recorder } from '../read/recorder.ts'
import type { RepairDetail } from '../reply.ts'
import { find } from './find.ts'
import { moved, type Note, noteOf, type Found, type Frame, frameOf, innerFrame } from './text.ts'

/**
 * The maximum number of details per call. After that, only the first detail of each new name is
 * kept.
 */
const MAX_DETAILS = 1000

/** The note on a repair, and the start of the string it was in, if any. */
interface Placed {
  note: Note
  readonly inner: number | undefined
}

interface Notes {
  readonly list: Placed[]
  readonly names: Set<string>
}

/**
 * Records repairs in detail. While a call is read, it keeps only the reader's notes; the exact
 * places are found after the call has ended, when its text is known. All calls of a block share its
 * text and repairs, so only the first call has details.
 */
export function details(): Recorder {
  const all = new WeakMap<CallBuilder, Notes>()
  return {
    note(builder, repaired, place) {
      const { list, names } = all.get(builder) ?? { list: [], names: new Set<string>() }
      const note = noteOf(repaired, place)
      if (note.name === 'several-calls' && note.kind === 'part') placeMembers(list, note)
      if (list.length >= MAX_DETAILS && names.has(note.name)) return
      if (list.length === 0) all.set(builder, { list, names })
      names.add(note.name)
      list.push({ note, inner: builder.inner?.from })
    },
    detailsOf(builder, call, block) {
      const notes = all.get(builder)
      if (!notes) return []
      all.delete(builder)
      return detailsIn(
        notes.list.filter(({ note }) => builder.repairs.includes(note.name)),
        frameOf(call, block),
      )
    },
  }
}

/** Arguments that were read right before another call of the block belong to that call. */
function placeMembers(list: readonly Placed[], { from, to }: { from: number; to: number }): void {
  const last = list.at(-1)
  if (last?.note.kind === 'members' && last.note.to === to) last.note = { ...last.note, from }
}

function detailsIn(notes: readonly Placed[], frame: Frame): readonly RepairDetail[] {
  const frames = new Map<number, Frame>()
  const seen = new Set<string>()
  const details: RepairDetail[] = []
  const add = (name: string, within: Frame, { from, to, became }: Found): void => {
    const span = within.spanOf(from, to)
    const key = `${name} ${span.join()}`
    if (seen.has(key) || (details.length >= MAX_DETAILS && seen.has(name))) return
    seen.add(key).add(name)
    const was = frame.text.slice(span[0] - frame.start, span[1] - frame.start)
    details.push({ name, span, was, became: became ?? was })
  }
  /** Repairs in the part of the reply that the prompt already contains. */
  const before = new Set<string>()
  for (const { note, inner } of notes) {
    const within = inner === undefined ? frame : (frames.get(inner) ?? innerFrame(frame, inner))
    if (inner !== undefined) frames.set(inner, within)
    for (const found of placesOf(moved(note, within.start), within))
      if (found.from < 0 && found.to <= 0) before.add(note.name)
      // Part of this piece is in the prompt, so the rest is reported without a replacement.
      else if (found.from < 0 && found.became) add(note.name, within, { from: 0, to: found.to })
      else add(note.name, within, found)
  }
  for (const name of before) if (!seen.has(name)) add(name, frame, { from: 0, to: 0, became: '' })
  return details.sort(({ span: [a, b] }, { span: [c, d] }) => a - c || b - d)
}

/**
 * Finds the places where a repair acted. Nothing before the start of the call's text is searched.
 */
function placesOf(note: Note, frame: Frame): readonly Found[] {
  const { to } = note
  const from = 'from' in note && note.kind !== 'members' ? note.from : to
  if (to < 0 || frame.text === '') return [{ from: -1, to: 0 }]
  if (from >= 0 || note.name === 'missing-closer') return find(note, frame)
  const skipped = (note.kind === 'part' && note.became === '') || SKIPPED.has(note.name)
  return [{ from, to, became: skipped ? '' : undefined }]
}

/** Repairs that skip the whole piece. */
const SKIPPED = new Set(['comment', 'doubled-closer', 'stray-text'])
