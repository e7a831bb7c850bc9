import {
  canonicalTools,
  type OtherTools,
  type Permissions,
  readRules,
  type RuleProblem,
} from '@toolglot/permissions'
import { aliases, nearest } from '@toolglot/permissions/internal'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'
import { commandFiles, testCommand } from './keys/tools.ts'
import { settingValues } from './keys/key.ts'
import type { Settings } from './merge-settings.ts'
import type { RuleText } from './settings-file.ts'

/** The permissions in settings. While any setting is invalid, every call needs approval. */
export function permissionsOf(settings: Settings, tools?: OtherTools): Permissions {
  const read = settings.rules.map(({ text, verdict, source, except }) => {
    const { rules, problems } = readRules({ [verdict]: [text] }, { source, tools })
    return { rules: except ? rules.map((rule) => ({ ...rule, except })) : rules, problems }
  })
  const [problem] = settings.problems
  const [tests] = settingValues(settings, testCommand)
  const [files] = settingValues(settings, commandFiles)
  return {
    rules: read.flatMap(({ rules }) => rules),
    problems: read.flatMap(({ problems }) => problems).filter((each) => !namesMissingTool(each)),
    mode: settings.mode,
    ...(problem && {
      doubt: `invalid settings: ${problem.file}:${problem.line ?? 1}: ${problem.reason}`,
    }),
    commandFiles: files?.value,
    testCommand: tests?.value,
    tools,
  }
}

/**
 * Throws a UserError if a rule to be added to settings is invalid, because no tool runs while there
 * is an invalid rule.
 */
export function refuseInvalidRules(
  { verdict, source }: Omit<RuleText, 'text'>,
  texts: readonly string[],
  tools?: OtherTools,
): void {
  for (const text of texts) {
    const { problems } = readRules({ [verdict]: [text] }, { source, tools })
    const found = problems.find((each) => !namesMissingTool(each))
    if (found)
      throw new UserError(
        'data',
        `Invalid rule ${quote(text)}: ${found.problem} Nothing was changed.`,
      )
  }
}

/**
 * The rules for unknown tools, such as a tool that exists only in another folder. They have no
 * effect.
 */
export function rulesWithoutTool(settings: Settings, tools?: OtherTools): readonly RuleText[] {
  return settings.rules.filter(
    (rule) =>
      namesMissingTool(rule) &&
      readRules({ [rule.verdict]: [rule.text] }, { source: rule.source, tools }).problems.length >
        0,
  )
}

/**
 * True if a rule consists of just a name that is not a misspelling, so that it must refer to a tool
 * that is not available. A rule from the command line is meant for the available tools.
 */
function namesMissingTool({ text, source }: Pick<RuleProblem, 'text' | 'source'>): boolean {
  if (source.scope === 'cli' || !/^[A-Za-z][\w.-]*$/.test(text)) return false
  return nearest(text, [...canonicalTools.keys(), ...aliases.keys()]).length === 0
}
