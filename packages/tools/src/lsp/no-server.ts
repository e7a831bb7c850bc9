import { ToolError } from '@toolglot/agent'
import { endingOf, type ServerDefinition } from './definition.ts'

/** Nobody knows such files. */
export function unsupported(file: string, definitions: readonly ServerDefinition[]): ToolError {
  const endings = [...new Set(definitions.flatMap(({ languages }) => Object.keys(languages)))]
  const message = `There is no language server for ${endingOf(file)} files. There are for ${endings.join(' ')}; add another as "languageServers" in the settings. Use Grep and Read instead.`
  return new ToolError('invalid_input', message, { code: 'unsupported_file', path: file, endings })
}

/** Somebody would know them, but is not there. */
export function noServer(file: string, problems: readonly string[]): ToolError {
  const message = `No language server for ${endingOf(file)} files can be started: ${problems.join('. Or: ')}. Until then use Grep and Read.`
  return new ToolError('not_found', message, { code: 'no_server', path: file, problems })
}
