import {
  type FoundModel,
  type FoundModels,
  type FoundServer,
  type ModelChoice,
  protocolOf,
} from '@toolglot/agent/models'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table } from './text/table.ts'

/** The models that were found, and the one that would be used. */
export function showModels(
  { named, saved, servers, keys }: FoundModels,
  choice: ModelChoice,
  { bold, dim, green, yellow }: Colors,
): string {
  const running = servers.filter(({ status }) => status === 'running')
  const rest = servers.filter(({ status }) => status !== 'running')
  const parts = [
    ...running.map((server) => {
      const rows = server.models.map((model) => row(server, model))
      const none = `  ${yellow('no models yet')}\n`
      return `${bold(server.name)} ${dim(visibleLine(server.url))}\n${rows.length > 0 ? table(rows) : none}`
    }),
    keys.length > 0
      ? `${bold('API keys in the environment')} ${dim('(these models cost money)')}\n${table(
          keys.map(({ provider, usual, variable }) => [`  ${provider}/${usual}`, variable]),
        )}`
      : '',
    rest.length > 0
      ? `${bold('Not running')}\n${table(
          rest.map(({ name, url, status, start }) => [
            `  ${name}`,
            visibleLine(url),
            status === 'other' ? 'something else is listening there' : start,
          ]),
        )}`
      : '',
    section(bold('Selected'), [
      ...(named === undefined ? [] : [[`  ${visibleLine(named)}`, 'TOOLGLOT_MODEL']]),
      ...(saved ? [[`  ${visibleLine(saved.reference)}`, `${saved.scope} settings`]] : []),
    ]),
  ]
  return `${parts.filter((part) => part !== '').join('\n')}\n${used(choice, { bold, green, yellow })}`
}

/** The models that were found, for programs. */
export function modelsJson(
  { named, saved, servers, keys }: FoundModels,
  choice: ModelChoice,
): object {
  return {
    choice,
    ...(named !== undefined && { named }),
    ...(saved && { saved }),
    servers: servers.map(({ models, ...server }) => ({
      ...server,
      models: models.map(({ chatTemplate, ...model }) => ({
        reference: `${server.id}/${model.name}`,
        ...model,
        hasTemplate: chatTemplate !== undefined,
        protocol: describeProtocol({
          ...model,
          ...(chatTemplate !== undefined && { chatTemplate }),
        }),
      })),
    })),
    keys,
  }
}

function section(title: string, rows: string[][]): string {
  return rows.length === 0 ? '' : `${title}\n${table(rows)}`
}

function row({ id }: FoundServer, model: FoundModel): string[] {
  const { name, contextTokens, trainedTokens, loaded, tools } = model
  const context =
    contextTokens === undefined
      ? trainedTokens === undefined
        ? ''
        : `trained for ${trainedTokens} tokens`
      : `${contextTokens} tokens`
  const protocol = describeProtocol(model)
  const calls = protocol ?? (tools ? 'native function calling' : 'unknown protocol')
  return [`  ${visibleLine(`${id}/${name}`)}`, calls, context, loaded ? 'in memory' : '']
}

function describeProtocol(model: FoundModel): string | undefined {
  return protocolOf(model).protocol?.id
}

function used(
  choice: ModelChoice,
  { bold, green, yellow }: Pick<Colors, 'bold' | 'green' | 'yellow'>,
): string {
  const why = visibleLine(choice.why)
  if (choice.reference === undefined) {
    return `${yellow('No model:')} ${why}.\nStart one of the servers above, or set a key such as OPENAI_API_KEY.\n`
  }
  const cost = choice.costs ? ` ${choice.costs.name} costs money, so you will be asked first.` : ''
  return `${green('Would use')} ${bold(visibleLine(choice.reference))}: ${why}.${cost}\n`
}
