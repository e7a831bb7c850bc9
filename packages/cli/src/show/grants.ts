import {
  grantsNothing,
  type LoadedSettings,
  type SettingsFile,
  type SettingValue,
} from '@toolglot/workspace'
import {
  comesWithFolder,
  type PathText,
  type RuleText,
  visibleLine,
} from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table } from './table.ts'

/** What a folder's settings would allow once it is trusted, for the person who decides. */
export function showGrants(
  { folder, files, trust, grants }: LoadedSettings,
  colors: Colors,
): string {
  const { bold, yellow } = colors
  const { rules, roots, protocols, values, mode } = grants
  const parts = [
    `${bold(visibleLine(folder))}\n`,
    trust === 'changed' ? `${yellow('Its settings have changed since you trusted it.')}\n` : '',
    grantsNothing(grants) ? 'Its settings would allow nothing by themselves.\n' : '',
    section(bold('Would run without asking:'), rules.map(placed)),
    section(bold('Would belong to the workspace too:'), roots.map(placed)),
    section(bold('Would be loaded, which runs its code:'), protocols.map(placed)),
    section(bold('Would be set:'), values.map(placed)),
    mode ? `${bold('Would be the mode:')} ${mode}\n` : '',
    section(
      bold('Is denied or asked in any case:'),
      files.filter(comesWithFolder).flatMap(restrictions),
    ),
  ]
  parts.push('Files in it can then be loaded as protocols: --protocol ./mine.ts\n')
  return parts.filter((part) => part !== '').join('\n')
}

/** The same for programs. */
export function grantsJson({ grants }: LoadedSettings): object {
  const { rules, roots, protocols, values, mode } = grants
  const pathOf = ({ path, source }: PathText): object => ({ path, ...source })
  return {
    allow: rules.map(({ text, source }) => ({ rule: text, ...source })),
    roots: roots.map(pathOf),
    protocols: protocols.map(pathOf),
    settings: values.map(({ key, value, source }) => ({ key, value, ...source })),
    ...(mode && { mode }),
  }
}

function section(title: string, rows: string[][]): string {
  return rows.length === 0 ? '' : `${title}\n${table(rows)}`
}

function restrictions({ rules }: SettingsFile): string[][] {
  return rules.filter(({ verdict }) => verdict !== 'allow').map(placed)
}

function placed(item: RuleText | PathText | SettingValue): string[] {
  const { file = '', line } = item.source
  return [`  ${visibleLine(textOf(item))}`, visibleLine(`${file}:${line ?? ''}`)]
}

function textOf(item: RuleText | PathText | SettingValue): string {
  if ('text' in item) return item.text
  return 'path' in item ? item.path : `${item.key}: ${JSON.stringify(item.value)}`
}
