import { tabled } from './programs.mjs'

/** Texts that one source makes before it is given up: if few of so many are allowed, more of them tell nothing new. */
const TRIES = { options: 1500, exact: 600 }

/**
 * Chooses what to do next, until enough texts are judged and run, and each program was run often enough. Programs that were
 * run least come first, in turn with the grammar and here-documents. A program whose every use needs an exact rule gets one,
 * and so does a program of which nothing else is allowed.
 */
export async function goals({ dist, state, judged, executed, each }) {
  const programs = (await tabled(dist)).filter(({ isHere }) => isHere)
  const sources = new Map(
    programs.map(({ name, program }) => [
      name,
      program.always ? [`exact/${name}`] : [`options/${name}`, `exact/${name}`],
    ]),
  )
  let turn = 0
  return {
    nextJob() {
      const needy = [...sources.keys()].map(current).filter((source) => source !== undefined)
      const isEnough = state.judged >= judged && state.executed.size >= executed
      if (needy.length === 0 && isEnough) return undefined
      turn++
      if (needy.length > 0 && (isEnough || turn % 2 === 0)) {
        const runs = (source) => state.runs[source] ?? 0
        const tries = (source) => state.next[source] ?? 0
        needy.sort((one, other) => runs(one) - runs(other) || tries(one) - tries(other))
        return { source: needy[0], count: 80, enough: each - runs(needy[0]) }
      }
      return { source: turn % 4 === 1 ? 'here' : 'grammar', count: 150 }
    },
    /** Programs that were run too rarely, with the most frequent reason. */
    missed: () =>
      [...sources].flatMap(([name, own]) => {
        if (own.some((source) => (state.runs[source] ?? 0) >= each)) return []
        const refused = Object.entries(state.refused[own[0]] ?? {}).sort(
          ([, one], [, other]) => other - one,
        )
        return [
          {
            name,
            runs: Math.max(...own.map((source) => state.runs[source] ?? 0)),
            why: refused[0]?.[0],
          },
        ]
      }),
    /** Programs of which only exact rules allowed enough, though not all of their uses need one. */
    onlyExact: () =>
      [...sources].flatMap(([name, own]) =>
        own.length > 1 && (state.runs[own[0]] ?? 0) < each && (state.runs[own[1]] ?? 0) >= each
          ? [name]
          : [],
      ),
    count: sources.size,
  }

  function current(name) {
    return sources.get(name).find((source, at, all) => {
      if ((state.runs[source] ?? 0) >= each) return false
      // Done by an earlier source.
      if (all.slice(0, at).some((earlier) => (state.runs[earlier] ?? 0) >= each)) return false
      return (state.next[source] ?? 0) < TRIES[source.split('/')[0]]
    })
  }
}
