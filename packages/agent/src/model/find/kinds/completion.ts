import type { TemplateFile } from '../../completion/template-file.ts'
import type { Model } from '../../model.ts'
import { ModelError } from '../../model-error.ts'
import { plainLine } from '../../plain-line.ts'
import { validModelName } from '../local-server.ts'
import { invalidReference, type ModelKind, type ReferencePlace } from './kind.ts'
import { checkUrl } from './url.ts'

/** Access to template files, on platforms with a file system. */
export interface TemplateFiles {
  /** The absolute path of a file. */
  resolve(path: string, place: ReferencePlace): string
  /** The text of a file. Throws a ModelError if it cannot be read. */
  read(path: string): string
}

/**
 * A model used through raw completion: `completion:http://127.0.0.1:8080`. `#MODEL` selects one of
 * several models on the server; `completion:FILE@http://…` provides the chat template for a server
 * that does not reveal it.
 */
export function completionKind(files?: TemplateFiles): ModelKind {
  return {
    id: 'completion',
    example: 'completion:http://127.0.0.1:8080',
    matches: (text) => text.startsWith(PREFIX),

    parse(text, place) {
      const { url, model, file } = partsOf(text)
      if (file !== undefined && !files)
        throw invalidReference(text, 'Template files cannot be read here, so omit the file')
      const path = file === undefined ? '' : `${files!.resolve(file, place)}@`
      return `${PREFIX}${path}${url}${model === undefined ? '' : `#${model}`}`
    },

    async connect(reference, options): Promise<Model> {
      const { url, model, file } = partsOf(reference)
      const isPerson = options.namedBy !== 'folder'
      if (file !== undefined && !isPerson)
        throw new ModelError(
          'refused',
          `A folder's settings cannot use a template file (${plainLine(file, 80)}). Select the model yourself.`,
        )
      // Loaded on demand, because few users need these modules.
      const [{ completionModel }, { findCompletion }, { readTemplateFile }] = await Promise.all([
        import('../../completion/completion-model.ts'),
        import('../../completion/find-completion.ts'),
        import('../../completion/template-file.ts'),
      ])
      const own =
        file === undefined || !files ? undefined : readTemplateFile(files.read(file), file)
      const { fetch, signal, idleTimeout, timeout, maxBytes } = options
      const key = isPerson ? options.key : undefined
      const { denial, ...found } = await findCompletion(url, { fetch, signal, key, model })
      // Excludes the query, which may contain a key.
      const { origin } = new URL(url)
      const name = model ?? found.models[0]
      if (name === undefined)
        throw (
          denial ??
          new ModelError(
            'refused',
            `${found.provider} at ${origin} has no models. Add one, or specify its name: ${PREFIX}${origin}#MODEL.`,
          )
        )
      const template = own ?? templateOf(found)
      if (!template)
        throw (
          denial ??
          new ModelError(
            'refused',
            `${found.provider} at ${origin} does not reveal the model's chat template. Specify a file that contains it, ${PREFIX}./tokenizer_config.json@${origin}#${name}, or use the server's chat endpoint.`,
          )
        )
      const { context = Infinity } = options
      const contextTokens = Math.min(context, found.contextTokens ?? Infinity)
      return completionModel({
        ...found,
        ...(Number.isFinite(contextTokens) && { contextTokens }),
        ...template,
        url,
        model: name,
        fetch,
        idleTimeout,
        timeout,
        maxBytes,
        key,
      })
    },
  }
}

const PREFIX = 'completion:'

function templateOf(found: {
  readonly chatTemplate?: string
  readonly toolTemplate?: string
}): (Partial<TemplateFile> & Pick<TemplateFile, 'chatTemplate'>) | undefined {
  const { chatTemplate, toolTemplate } = found
  if (chatTemplate === undefined) return undefined
  return {
    chatTemplate,
    ...(toolTemplate !== undefined && { chatTemplates: { tool_use: toolTemplate } }),
  }
}

interface Parts {
  readonly url: string
  readonly model: string | undefined
  readonly file: string | undefined
}

function partsOf(given: string): Parts {
  const text = given.slice(PREFIX.length)
  const at = text.search(/(?:^|@)https?:\/\//i)
  if (at < 0) throw invalidReference(given, `Add the server's URL: ${PREFIX}http://127.0.0.1:8080`)
  const file = at > 0 || text.startsWith('@') ? text.slice(0, at) : undefined
  const rest = text.slice(text[at] === '@' ? at + 1 : at)
  const hash = rest.indexOf('#')
  const url = hash < 0 ? rest : rest.slice(0, hash)
  checkUrl(url, given)
  const model = hash < 0 ? undefined : validModelName(rest.slice(hash + 1))
  if (hash >= 0 && model === undefined)
    throw invalidReference(given, 'Add a valid model name after #')
  if (file === '') throw invalidReference(given, 'Add the template file before @')
  return { url, model, file }
}
