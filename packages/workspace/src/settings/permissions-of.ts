import { type OtherTools, type Permissions, readRules } from '@toolglot/permissions'
import { commandFiles } from './keys/command-files.ts'
import { settingValues } from './keys/key.ts'
import { testCommand } from './keys/test-command.ts'
import type { Settings } from './merge-settings.ts'

/** The permissions that settings give. While anything in them is invalid, everything asks. */
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
    problems: read.flatMap(({ problems }) => problems),
    mode: settings.mode,
    ...(problem && {
      doubt: `invalid settings: ${problem.file}:${problem.line ?? 1}: ${problem.reason}`,
    }),
    ...(files && { commandFiles: files.value }),
    ...(tests && { testCommand: tests.value }),
    ...(tools && { tools }),
  }
}
