import { tabled } from './programs.mjs'

/**
 * The maximum number of commands from one source: if few of them are allowed, more would not help.
 */
const TRIES = { options: 1500, exact: 600 }

/** Families of programs whose operands are not files. */
const WITHOUT_FILES = ['packages', 'containers', 'services']

/**
 * Chooses the next job, until enough commands have been judged and run, and each program has run
 * often enough. Programs with the fewest runs come first, alternating with the grammar and
 * here-documents. A program gets an exact rule if all of its uses need one, or if no other command
 * with it is allowed. Before that, every option of every program is tried.
 */
export async function goals({ dist, state, judged, executed, each }) {
  const programs = (await tabled(dist)).filter(({ isHere }) => isHere)
  const sources = new Map(
    programs.map(({ name, program, family }) => [
      name,
      program.always
        ? [`exact/${name}`]
        : [
            ...(WITHOUT_FILES.includes(family) ? [] : [`each/${name}`]),
            ...[`options/${name}`, `exact/${name}`],
          ],
    ]),
  )
  const tries = (source) => state.next[source] ?? 0
  const runs = (source) => state.runs[source] ?? 0
  const runsOf = (name) => sources.get(name).reduce((sum, source) => sum + runs(source), 0)
  /** Sources that workers are processing. Until the outcome is known, other sources are chosen. */
  const busy = new Set()
  let turn = 0
  return {
    nextJob() {
      const open = [...sources.keys()].flatMap((name) => {
        const source = current(name)
        return source === undefined ? [] : [{ source, ran: runsOf(name) }]
      })
      const needy = open.filter(({ source }) => !busy.has(source))
      const isEnough = state.judged >= judged && state.executed.size >= executed
      if (open.length === 0 && isEnough) return undefined
      turn++
      if (needy.length > 0 && (isEnough || turn % 2 === 0)) {
        needy.sort((one, other) => one.ran - other.ran || tries(one.source) - tries(other.source))
        const [{ source, ran }] = needy
        busy.add(source)
        return source.startsWith('each/')
          ? { source, count: 80 }
          : { source, count: 80, enough: each - ran }
      }
      return { source: turn % 4 === 1 ? 'here' : 'grammar', count: 150 }
    },
    finished: ({ kind, program }) => busy.delete(`${kind}/${program}`),
    /** Programs with too few runs, and the most frequent reason. */
    missed: () =>
      [...sources].flatMap(([name, own]) => {
        if (runsOf(name) >= each) return []
        const refused = own.flatMap((source) => Object.entries(state.refused[source] ?? {}))
        const [most] = refused.sort(([, one], [, other]) => other - one)
        return [{ name, runs: runsOf(name), why: most?.[0] }]
      }),
    /**
     * Programs for which only exact rules allowed enough, even though not all of their uses need
     * one.
     */
    onlyExact: () =>
      [...sources.keys()].filter(
        (name) =>
          sources.get(name).length > 1 &&
          runsOf(name) >= each &&
          runsOf(name) - runs(`exact/${name}`) < each,
      ),
    count: sources.size,
  }

  /**
   * The next source for a program; undefined if it was run often enough, or if there is nothing
   * more to try.
   */
  function current(name) {
    return sources.get(name).find((source) => {
      const [kind] = source.split('/')
      if (kind === 'each') return !state.done.includes(source)
      const isVain = kind === 'options' && tries(source) >= 400 && runs(source) < 4
      return runsOf(name) < each && tries(source) < TRIES[kind] && !isVain
    })
  }
}
