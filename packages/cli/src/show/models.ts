import {
  type FoundModel,
  type FoundServer,
  type ModelChoice,
  protocolOf,
} from '@toolglot/agent/models'
import type { ModelSearch } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table } from './text/table.ts'

/** The models that were found, and the default one. */
export function showModels(
  { found: { named, saved, servers, keys }, choice, probed }: ModelSearch,
  { bold, dim, green, yellow }: Colors,
): string {
  const running = servers.filter(({ status }) => status === 'running')
  const rest = servers.filter(({ status }) => status !== 'running')
  const parts = [
    ...running.map((server) => {
      const rows = server.models.map((model) => row(server, model, probed))
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
          rest.map(({ name, url, status, start, problem }) => [
            `  ${name}`,
            visibleLine(url),
            visibleLine(
              problem ?? (status === 'other' ? 'another program is listening there' : start),
            ),
          ]),
        )}`
      : '',
    section(bold('Selected'), [
      ...(named === undefined ? [] : [[`  ${visibleLine(named)}`, 'TOOLGLOT_MODEL']]),
      ...(saved ? [[`  ${visibleLine(saved.reference)}`, `${saved.scope} settings`]] : []),
    ]),
  ]
  return `${parts.filter((part) => part !== '').join('\n')}\n${used(choice, probed, { bold, green, yellow })}`
}

/** The models that were found, for programs. */
export function modelsJson({
  found: { named, saved, servers, keys },
  choice,
  probed,
}: ModelSearch): object {
  return {
    choice,
    named,
    saved,
    servers: servers.map(({ models, ...server }) => ({
      ...server,
      models: models.map((found) => {
        const { chatTemplate, ...model } = found
        const reference = `${server.id}/${model.name}`
        return {
          reference,
          ...model,
          hasTemplate: chatTemplate !== undefined,
          protocol: probed[reference] ?? protocolOf(found).protocol?.id,
          ...(probed[reference] && { probed: true }),
        }
      }),
    })),
    keys,
  }
}

function section(title: string, rows: string[][]): string {
  return rows.length === 0 ? '' : `${title}\n${table(rows)}`
}

function row({ id }: FoundServer, model: FoundModel, probed: ModelSearch['probed']): string[] {
  const { name, contextTokens, trainedTokens, loaded, tools } = model
  const context =
    contextTokens === undefined
      ? trainedTokens === undefined
        ? ''
        : `trained for ${trainedTokens} tokens`
      : `${contextTokens} tokens`
  const known = probed[`${id}/${name}`]
  const protocol = known === undefined ? protocolOf(model).protocol?.id : `${known} (probed)`
  const calls = protocol ?? (tools ? 'native function calling' : 'unknown protocol')
  return [`  ${visibleLine(`${id}/${name}`)}`, calls, context, loaded ? 'in memory' : '']
}

function used(
  choice: ModelChoice,
  probed: ModelSearch['probed'],
  { bold, green, yellow }: Pick<Colors, 'bold' | 'green' | 'yellow'>,
): string {
  const why = visibleLine(choice.why)
  if (choice.reference === undefined) {
    return `${yellow('No model:')} ${why}.\nStart one of the servers above, or set a key such as OPENAI_API_KEY.\n`
  }
  const cost = choice.costs ? ` ${choice.costs.name} costs money, so you will be asked first.` : ''
  const protocol = probed[choice.reference]
  const calls = protocol === undefined ? '' : ` Its call format is ${protocol} (probed).`
  return `${green('Would use')} ${bold(visibleLine(choice.reference))}: ${why}.${calls}${cost}\n`
}
