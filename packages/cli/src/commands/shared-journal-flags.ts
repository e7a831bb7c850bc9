import { type Command, InvalidArgumentError, Option } from 'commander'

/** Adds the options of commands that use a shared journal. */
export function addSharedJournalFlags(command: Command): Command {
  return command
    .option(
      '--journal <url>',
      'record runs on Postgres, which other machines share (default: TOOLGLOT_JOURNAL, or a file of yours)',
    )
    .option(
      '--machine <name>',
      'the name of this machine: runs that use its files wait for it (default: its host name)',
    )
    .option(
      '--code-version <text>',
      'the version of your code and tools: runs are continued with the one that they were begun with',
    )
    .addOption(
      new Option(
        '--when-changed <what>',
        'what to do with a run that was begun with other tools or another version (default: leave it to others)',
      ).choices(['leave', 'ask', 'continue']),
    )
    .addOption(count('--max-runs <number>', 'how many runs to execute at once (default: 50)'))
    .addOption(count('--max-per-owner <number>', 'how many runs of one owner, on all machines'))
    .addOption(count('--max-per-model <number>', 'how many runs with one model, on all machines'))
}

function count(flags: string, about: string): Option {
  return new Option(flags, about).argParser((text) => {
    const number = Number(text)
    if (!Number.isSafeInteger(number) || number < 1)
      throw new InvalidArgumentError('expected a positive whole number.')
    return number
  })
}
