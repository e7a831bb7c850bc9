import type { ToolContext } from '@toolglot/agent'
import { hashOf } from '../checkpoint/store.ts'
import { type Checkpoints, createCheckpoints } from '../checkpoint/checkpoints.ts'
import { decodeText, type Encoding } from '../encoding/text.ts'
import { type FileFacts, type Files, isUnchanged } from '../host/files.ts'
import type { Host } from '../host/host.ts'
import { findNewErrors } from '../lsp/new-errors.ts'
import type { FoundDiagnostic } from '../lsp/result.ts'
import { type LoadedFile, loadFile } from '../file/load.ts'
import { recordsOf } from '../file/file-records.ts'

/** The parts of a host that a tool needs to change files. */
export type FileHost = Pick<Host, 'fileSystem' | 'files' | 'storage' | 'language'> &
  Partial<Pick<Host, 'search'>>

/** A file before it is changed. */
export interface FileBefore {
  /** Undefined if the file does not exist yet. */
  readonly loaded: LoadedFile | undefined
  /** The encoding in which the run read it, unless its bytes show it. */
  readonly encoding: string | undefined
  /** The run's knowledge of the file: `changed` means since the run read it. */
  readonly known: 'new' | 'unread' | 'changed' | 'as read'
}

/** The new content of a file, and the tool's result. */
export interface NewContent<Result> {
  readonly bytes: Uint8Array
  readonly encoding: Encoding
  readonly result: Result
}

/**
 * Changes a file under a lock, starting from its current bytes, after saving a checkpoint, and only
 * if no other process changes it in the meantime. Reports new errors from the language server.
 * Every tool that changes files uses this.
 */
export type ChangeFile = <Result>(
  path: string,
  context: ToolContext,
  make: (before: FileBefore) => NewContent<Result> | Promise<NewContent<Result>>,
) => Promise<ChangedFile<Result>>

/** The outcome of a change. */
export interface ChangedFile<Result> {
  readonly result: Result
  readonly facts: FileFacts
  /** Errors that the change introduced, if any. */
  readonly diagnostics?: readonly FoundDiagnostic[]
}

/** Creates the function that changes files of a host. */
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
      decodeText(bytes, made.encoding),
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
  make: (before: FileBefore) => NewContent<Result> | Promise<NewContent<Result>>,
): Promise<ChangedFile<Result> & { made: NewContent<Result>; before: Uint8Array | undefined }> {
  const { signal, run, call, paths } = context
  const reach = { signal, paths }
  const release = await files.lock(path, reach)
  try {
    const loaded = await loadFile(files, path, reach)
    const hash = loaded && hashOf(loaded.bytes)
    const records = recordsOf(files, context)
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
        await checkpoints.keep(run, { ...place, before, after, call })
      },
    })
    const encoding = made.encoding.mark.length > 0 ? 'utf-8' : made.encoding.name
    // Without `lines`: the model wrote the new content, but has not seen it as a result of Read.
    records.set(facts.path, {
      version: facts,
      hash: after,
      encoding: encoding !== 'utf-8' ? encoding : undefined,
    })
    return { result: made.result, facts, made, before: loaded?.bytes }

    function isAsRead(): boolean {
      return isUnchanged(record!.version, loaded!.facts) || record!.hash === hash
    }
  } finally {
    release()
  }
}
