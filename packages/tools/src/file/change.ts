import type { ToolContext } from '@toolglot/agent'
import { type Checkpoints, createCheckpoints } from '../checkpoint/checkpoints.ts'
import type { Encoding } from '../encoding/text.ts'
import { type FileFacts, type Files, isSame } from '../host/files.ts'
import type { Host } from '../host/host.ts'
import { hashOf } from './hash.ts'
import { type Loaded, loadFile } from './load.ts'
import { recordsOf, remember } from './records.ts'

/** What a tool that changes files needs. */
export type FileHost = Pick<Host, 'world' | 'files' | 'storage'>

/** A file that is to be changed, as it is now. */
export interface Before {
  /** Undefined: there is none yet. */
  readonly loaded: Loaded | undefined
  /** How the run read it, if that was not to be told from its bytes. */
  readonly encoding: string | undefined
  /** What the run knows of it. */
  readonly known: 'new' | 'unread' | 'changed' | 'as read'
}

export interface Made<Result> {
  readonly bytes: Uint8Array
  readonly encoding: Encoding
  readonly result: Result
}

/**
 * The one way a file is changed: alone, from its present bytes, with its former state kept for the run, and only if nobody
 * changed it in the meantime.
 */
export type ChangeFile = <Result>(
  path: string,
  context: ToolContext,
  make: (before: Before) => Made<Result> | Promise<Made<Result>>,
) => Promise<{ readonly result: Result; readonly facts: FileFacts }>

export function createChangeFile(host: FileHost): ChangeFile {
  const checkpoints = createCheckpoints(host)
  return (path, context, make) => changeFile(host.files, checkpoints, path, context, make)
}

async function changeFile<Result>(
  files: Files,
  checkpoints: Checkpoints,
  path: string,
  context: ToolContext,
  make: (before: Before) => Made<Result> | Promise<Made<Result>>,
): Promise<{ readonly result: Result; readonly facts: FileFacts }> {
  const { signal, run, paths } = context
  const reach = { signal, ...(paths && { paths }) }
  const release = await files.lock(path, reach)
  try {
    const loaded = await loadFile(files, path, reach)
    const hash = loaded && hashOf(loaded.bytes)
    const records = recordsOf(files, run)
    const record = loaded && records.get(loaded.facts.path)
    const known = !loaded ? 'new' : !record ? 'unread' : isAsRead() ? 'as read' : 'changed'
    const made = await make({
      loaded,
      known,
      encoding: known === 'as read' ? record?.encoding : undefined,
    })
    const after = hashOf(made.bytes)

    const { facts } = await files.replace(path, made.bytes, {
      ...reach,
      before: loaded?.facts,
      ready: async (place) => {
        if (run === undefined) return
        const before = loaded && { bytes: loaded.bytes, hash: hash! }
        await checkpoints.keep(run, { ...place, before, after })
      },
    })
    const encoding = made.encoding.mark.length > 0 ? 'utf-8' : made.encoding.name
    remember(records, facts.path, {
      facts,
      hash: after,
      ranges: [],
      // What it is now the model wrote, but has not seen.
      whole: false,
      ...(encoding !== 'utf-8' && { encoding }),
    })
    return { result: made.result, facts }

    function isAsRead(): boolean {
      return isSame(record!.facts, loaded!.facts) || record!.hash === hash
    }
  } finally {
    release()
  }
}
