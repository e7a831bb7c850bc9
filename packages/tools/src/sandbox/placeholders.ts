import { rmSync } from 'node:fs'
import { onExit } from '../process/on-exit.ts'
import { hasEnded } from '../process/process-identity.ts'
import { sleepSync } from '../process/sleep-sync.ts'
import { type Claim, type Claims, claimsIn, type PlaceholderMarks } from './claims.ts'
import type { EntryKind } from './guarded.ts'
import {
  PLACEHOLDER_NAMES,
  inspect,
  makePlaceholder,
  placeholderMark,
  type Placeholder,
  removeEmpty,
} from './placeholder.ts'

/** The placeholders of a folder, shared by all commands of this process. */
export function placeholdersIn(folder: string, records: string): Placeholders {
  const found = openPlaceholders.get(folder)
  if (found) return found
  const made = new Placeholders(folder, claimsIn(folder, records))
  openPlaceholders.set(folder, made)
  return made
}

const openPlaceholders = new Map<string, Placeholders>()

interface Held {
  /** How many commands need it. */
  count: number
  /** Null: not created yet. */
  mark: string | null
}

/**
 * A mount that protects a path disappears when any process removes the mount point. So a process records what it needs
 * before it creates it or relies on it, and records what it removes before it checks who needs it: of two processes, one
 * always sees the other. Everything is synchronous, so that commands of one process cannot interleave.
 */
class Placeholders {
  readonly #folder: string
  readonly #claims: Claims
  readonly #held = new Map<string, Held>()
  #forget: (() => void) | undefined

  constructor(folder: string, claims: Claims) {
    this.#folder = folder
    this.#claims = claims
  }

  /** What is at a path. A placeholder of any process counts as missing. */
  kindOf(name: string): EntryKind {
    for (;;) {
      const found = inspect(this.#folder, name)
      if (!found || !found.isEmpty) return found?.kind ?? 'missing'
      if (this.#held.get(name)?.mark === found.mark) return 'missing'
      if (this.#others().some((claim) => claimsPlaceholder(claim, name, found.mark)))
        return 'missing'
      // An existing placeholder is always claimed. So it is not one, unless it was replaced meanwhile.
      if (inspect(this.#folder, name)?.mark === found.mark) return found.kind
    }
  }

  /** Removes the placeholders of processes that have ended. */
  sweep(): void {
    this.#adopt()
    this.#tidy()
    try {
      this.#claims.removeDrafts()
    } catch {
      // They do no harm.
    }
  }

  /** Creates the missing placeholders, and keeps them until the returned function is called. */
  hold(wanted: readonly Placeholder[]): () => void {
    this.#adopt()
    const names = wanted.map(({ name }) => name)
    for (const name of names) this.#count(name, 1)
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      for (const name of names) this.#count(name, -1)
      this.#tidy()
    }
    try {
      this.#forget ??= onExit(() => this.#letAllGo())
      openPlaceholders.set(this.#folder, this)
      this.#makeAll(wanted)
    } catch (error) {
      release()
      throw error
    }
    return release
  }

  #makeAll(wanted: readonly Placeholder[]): void {
    this.#write()
    this.#waitForRemovals(wanted.map(({ name }) => name))
    for (const one of wanted) {
      const held = this.#held.get(one.name)!
      const found = placeholderMark(this.#folder, one.name)
      if (found !== undefined && found === held.mark) continue
      const mark = makePlaceholder(this.#folder, one)
      if (mark === undefined) this.#held.delete(one.name)
      else held.mark = mark
    }
    this.#write()
  }

  #waitForRemovals(names: readonly string[]): void {
    const until = performance.now() + REMOVAL_TIMEOUT
    for (;;) {
      const remover = this.#others().find(
        ({ maker, removing }) =>
          names.some((name) => Object.hasOwn(removing, name)) && !hasEnded(maker),
      )
      if (!remover) return
      if (performance.now() > until)
        throw new Error(`process ${remover.maker.pid} takes too long to remove its placeholders`)
      sleepSync(1)
    }
  }

  /** Takes over the placeholders of processes that have ended. */
  #adopt(): void {
    try {
      for (const { claim, file } of this.#claims.others()) {
        if (!hasEnded(claim.maker)) continue
        for (const marks of [claim.held, claim.removing])
          for (const [name, mark] of Object.entries(marks)) this.#adoptOne(name, mark)
        this.#write()
        rmSync(file, { force: true })
      }
    } catch {
      // The records are not accessible now; leftovers stay until they are.
    }
  }

  #adoptOne(name: string, mark: string | null): void {
    if (!PLACEHOLDER_NAMES.has(name) || this.#held.has(name)) return
    const found = placeholderMark(this.#folder, name)
    if (found !== undefined && (mark ?? found) === found)
      this.#held.set(name, { count: 0, mark: found })
  }

  /** Removes the placeholders that neither this process nor another one needs. */
  #tidy(): void {
    const going = [...this.#held].filter(([, { count }]) => count <= 0)
    try {
      if (going.length > 0) {
        this.#write(going)
        const others = this.#others().filter(({ maker }) => !hasEnded(maker))
        for (const [name, { mark }] of going) {
          const isNeeded = others.some(({ held }) => Object.hasOwn(held, name))
          if (!isNeeded && mark !== null && mark === placeholderMark(this.#folder, name))
            removeEmpty(this.#folder, name)
          this.#held.delete(name)
        }
      }
      this.#write()
    } catch {
      // The records are not accessible now. They still list it, so someone removes it later.
    }
    if (this.#held.size > 0) return
    this.#forget?.()
    this.#forget = undefined
    openPlaceholders.delete(this.#folder)
  }

  /** Releases everything when this process ends. */
  #letAllGo(): void {
    for (const held of this.#held.values()) held.count = 0
    this.#tidy()
  }

  #count(name: string, change: number): void {
    const held = this.#held.get(name)
    if (held && held.count > 0) held.count += change
    // One that was adopted may have been replaced.
    else if (change > 0) this.#held.set(name, { count: change, mark: null })
  }

  #others(): Claim[] {
    return this.#claims.others().map(({ claim }) => claim)
  }

  #write(going: readonly (readonly [string, Held])[] = []): void {
    const removing = marksOf(going)
    const held = marksOf([...this.#held].filter(([name]) => !Object.hasOwn(removing, name)))
    const isEmpty = [held, removing].every((each) => Object.keys(each).length === 0)
    this.#claims.write(isEmpty ? undefined : { held, removing })
  }
}

/** Whether a claim says that this is a placeholder. For a running process the name is enough: its mark may be outdated. */
function claimsPlaceholder({ maker, held, removing }: Claim, name: string, found: string): boolean {
  const claimed = [held, removing].filter((marks) => Object.hasOwn(marks, name))
  if (claimed.some((marks) => (marks[name] ?? found) === found)) return true
  return claimed.length > 0 && !hasEnded(maker)
}

function marksOf(placeholders: readonly (readonly [string, Held])[]): PlaceholderMarks {
  return Object.fromEntries(placeholders.map(([name, { mark }]) => [name, mark]))
}

/** In milliseconds. Normally it takes less than one. */
const REMOVAL_TIMEOUT = 2000
