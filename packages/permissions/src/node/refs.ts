import { readdirSync } from 'node:fs'
import { readSmallFile } from './small-file.ts'

const MAX_PACKED_REFS = 2_000_000
const MAX_LINKS = 5

/** Whether objects or commits stand for others. */
export function areReplaced(common: string, refs: ReadonlyMap<string, string>): boolean {
  const replaced = [...refs.keys()].some((name) => name.startsWith('refs/replace/'))
  return (
    replaced ||
    namesIn(`${common}/refs/replace`).length > 0 ||
    readSmallFile(`${common}/info/grafts`) !== undefined ||
    readSmallFile(`${common}/objects/info/alternates`) !== undefined
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // There is none.
  }
}

/** The references that are in one file, by name. */
export function packedRefs(common: string): ReadonlyMap<string, string> {
  const lines = (readSmallFile(`${common}/packed-refs`, MAX_PACKED_REFS) ?? '').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, hash, name] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, hash!]]
    }),
  )
}

/** The hash that a name stands for, looked for where git does, in the same order. */
export function refOf(
  name: string,
  git: string,
  common: string,
  packed: ReadonlyMap<string, string>,
): string | undefined {
  const places = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map(
    (start) => start + name,
  )
  for (const place of [...places, `refs/remotes/${name}/HEAD`]) {
    let at: string | undefined = place
    for (let links = 0; at !== undefined && links < MAX_LINKS; links++) {
      const text: string | undefined =
        textAt(`${git}/${at}`) ?? textAt(`${common}/${at}`) ?? packed.get(at)
      if (text === undefined) break
      const [, hash, target]: (string | undefined)[] =
        /^(?:([0-9a-f]{40})(?:\s|$)|ref: (refs\/\S+)\s*$)/.exec(text) ?? []
      if (hash !== undefined) return hash
      if (target === undefined) throw new Error('A reference of another kind.')
      at = target
    }
  }
  return undefined
}

/** The text of a file; undefined if there is none, or a folder. */
function textAt(path: string): string | undefined {
  try {
    return readSmallFile(path)
  } catch {
    return undefined
  }
}
