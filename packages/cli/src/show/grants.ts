import {
  grantsNothing,
  type LoadedSettings,
  type SettingsFile,
  type SettingValue,
  type UntrustedGrants,
} from '@toolglot/workspace'
import { codeFilesOf, comesWithFolder, visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table } from './text/table.ts'

type PathText = UntrustedGrants['roots'][number]
type RuleText = UntrustedGrants['rules'][number]

/** What a folder's settings would allow once it is trusted, for whoever decides. */
export function showGrants(
  { folder, files, trust, grants }: LoadedSettings,
  colors: Colors,
): string {
  const { bold, yellow } = colors
  const { rules, roots, protocols, values, mode } = grants
  const code = values.flatMap((value) => codeFilesOf(value) ?? [])
  const data = values.filter((value) => !codeFilesOf(value))
  const parts = [
    `${bold(visibleLine(folder))}\n`,
    trust === 'changed'
      ? `${yellow('Its settings have changed since you trusted this folder.')}\n`
      : '',
    grantsNothing(grants) ? 'Its settings do not allow anything that needs your trust.\n' : '',
    section(bold('Would run without approval:'), rules.map(rowOf)),
    section(bold('Would be added to the workspace:'), roots.map(rowOf)),
    section(bold('Code that would be loaded and run:'), [...protocols, ...code].map(rowOf)),
    section(bold('Would be set:'), data.map(rowOf)),
    mode ? `${bold('Permission mode would be:')} ${mode}\n` : '',
    section(
      bold('Denied or asked about in any case:'),
      files.filter(comesWithFolder).flatMap(restrictions),
    ),
  ]
  parts.push('Protocols could also be loaded from files in this folder: --protocol ./mine.ts\n')
  return parts.filter((part) => part !== '').join('\n')
}

/** What a folder's settings would allow, for programs. */
export function grantsJson({ grants }: LoadedSettings): object {
  const { rules, roots, protocols, values, mode } = grants
  const pathOf = ({ path, source }: PathText): object => ({ path, ...source })
  return {
    allow: rules.map(({ text, source }) => ({ rule: text, ...source })),
    roots: roots.map(pathOf),
    protocols: protocols.map(pathOf),
    settings: values.map(({ key, value, source }) => ({ key, value, ...source })),
    mode,
  }
}

function section(title: string, rows: string[][]): string {
  return rows.length === 0 ? '' : `${title}\n${table(rows)}`
}

function restrictions({ rules }: SettingsFile): string[][] {
  return rules.filter(({ verdict }) => verdict !== 'allow').map(rowOf)
}

function rowOf(item: RuleText | PathText | SettingValue): string[] {
  const { file = '', line } = item.source
  return [`  ${visibleLine(textOf(item))}`, visibleLine(`${file}:${line ?? ''}`)]
}

function textOf(item: RuleText | PathText | SettingValue): string {
  if ('text' in item) return item.text
  return 'path' in item ? item.path : `${item.key}: ${JSON.stringify(item.value)}`
}
