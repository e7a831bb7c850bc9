import type { ToolContext } from '@toolglot/agent'
import { type Checkpoints, createCheckpoints } from '../checkpoint/checkpoints.ts'
import { decode, type Encoding } from '../encoding/text.ts'
import { type FileFacts, type Files, isUnchanged } from '../host/files.ts'
import type { Host } from '../host/host.ts'
import { findNewErrors } from '../lsp/new-errors.ts'
import type { FoundDiagnostic } from '../lsp/result.ts'
import { hashOf } from './hash.ts'
import { type Loaded, loadFile } from './load.ts'
import { recordsOf, remember } from './records.ts'

/** What a tool that changes files needs. */
export type FileHost = Pick<Host, 'fileSystem' | 'files' | 'storage' | 'language'> &
  Partial<Pick<Host, 'search'>>

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
 * changed it in the meantime. What a language server says of it then is told.
 */
export type ChangeFile = <Result>(
  path: string,
  context: ToolContext,
  make: (before: Before) => Made<Result> | Promise<Made<Result>>,
) => Promise<Changed<Result>>

export interface Changed<Result> {
  readonly result: Result
  readonly facts: FileFacts
  /** Errors that the change brought, if there are any. */
  readonly diagnostics?: readonly FoundDiagnostic[]
}

export function createChangeFile(host: FileHost): ChangeFile {
  const checkpoints = createCheckpoints(host)
  return async (path, context, make) => {
    const { made, before, ...changed } = await changeFile(
      host.files,
      checkpoints,
      path,
      context,
      make,
    )
    const { path: real } = changed.facts
    if (!host.language?.isRunning(real)) return changed
    const [after = '', old = ''] = [made.bytes, before ?? new Uint8Array()].map((bytes) =>
      decode(bytes, made.encoding),
    )
    const file = { path: real, before: before && old, after }
    const diagnostics = await findNewErrors(host.language, host, file, context)
    return { ...changed, ...(diagnostics.length > 0 && { diagnostics }) }
  }
}

async function changeFile<Result>(
  files: Files,
  checkpoints: Checkpoints,
  path: string,
  context: ToolContext,
  make: (before: Before) => Made<Result> | Promise<Made<Result>>,
): Promise<Changed<Result> & { made: Made<Result>; before: Uint8Array | undefined }> {
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
      beforeReplace: async (place) => {
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
    return { result: made.result, facts, made, before: loaded?.bytes }

    function isAsRead(): boolean {
      return isUnchanged(record!.facts, loaded!.facts) || record!.hash === hash
    }
  } finally {
    release()
  }
}
