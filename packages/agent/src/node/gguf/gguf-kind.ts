import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { invalidReference, type ModelKind } from '../../model/find/kinds/kind.ts'
import { ModelError } from '../../model/model-error.ts'
import { plainLine } from '../../model/plain-line.ts'
import { referencePath } from '../template-files.ts'
import { stateFolder } from '../state-folder.ts'

/** A model in a file: `./qwen.gguf`, `/models/qwen.gguf`, `~/qwen.gguf` or `gguf:PATH`. */
export const ggufKind: ModelKind = {
  id: 'gguf',
  example: './qwen.gguf',

  matches: isGgufPath,

  parse(text, place) {
    const found = referencePath(pathOf(text), place)
    if ('problem' in found) throw invalidReference(text, found.problem)
    return isGgufPath(found.path) ? found.path : PREFIX + found.path
  },

  async connect(reference, options) {
    const { env, namedBy, cwd, isTrusted, confirm, onProgress, drawsTools } = options
    const { idleTimeout, timeout, signal, context } = options
    const path = pathOf(reference)
    if (namedBy === 'folder') checkPlace(path, cwd, isTrusted)
    // Loaded on demand, because few users need it.
    const { ggufModel } = await import('./gguf-model.ts')
    return ggufModel({
      path,
      runtimeFolder: join(stateFolder(env), 'models-runtime'),
      confirm,
      onProgress,
      idleTimeout,
      timeout,
      signal,
      drawsTools,
      contextTokens: context,
    })
  },
}

const PREFIX = 'gguf:'

/** No other kind of reference is a path: in those, a slash comes after a provider. */
function isGgufPath(text: string): boolean {
  if (text.startsWith(PREFIX)) return true
  return /\.gguf$/i.test(text) && (isAbsolute(text) || /^(\.\.?|~)[/\\]|^[^/\\]+$/.test(text))
}

function pathOf(text: string): string {
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text
}

/**
 * A folder's settings may use a file in that folder if the user trusts the folder. llama.cpp is not
 * built for hostile files.
 */
function checkPlace(
  path: string,
  folder: string | undefined,
  isTrusted: boolean | undefined,
): void {
  const refuse = (problem: string): ModelError =>
    new ModelError(
      'refused',
      `The folder's settings select the model file ${plainLine(path)}, but ${problem}. To use it anyway, select it yourself with --model.`,
    )
  if (folder === undefined || !isTrusted) throw refuse('the folder is not trusted')
  const place = relative(real(folder), real(path))
  if (place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place))
    throw refuse('the file is outside of the folder')
}

/** The path with symbolic links resolved, if the file exists. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // The file does not exist or is inaccessible: reading it will report that.
    return resolve(path)
  }
}
