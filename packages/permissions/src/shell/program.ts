/**
 * What is known of a program, as data. What is listed is what is plain: any other option, and any other operand where
 * plain ones are described, does more than the program's name says. An option is written as on the command line:
 *
 *     --quiet               takes no value
 *     -n=  --lines=         takes one: glued, after `=`, or the next word
 *     --color[=]  -j[=]     takes one only if it is glued or stands after `=`
 *     --reporter=dot|spec   takes one of these
 */
export interface Program extends Usage {
  readonly names: Words
}

/** Several, separated by blanks. */
export type Words = string

export interface Usage {
  /** One dash and a word is one option (`find -name`). Otherwise letters bundle and long options may be cut short. */
  readonly oneDash?: boolean
  /** The options that are plain. */
  readonly options?: Words
  /** Its options are not known: only such count that reach in almost any program. */
  readonly open?: boolean
  /** Why → options that do it: run other code, write, load other settings, send. Only for the reason: what is not plain reaches anyway. */
  readonly reach?: Reasons
  /** Its options stand before its first operand: what follows belongs to what it runs. */
  readonly early?: boolean
  /** Options with a value, behind which all belongs to what it runs: `python -m NAME`. */
  readonly ends?: Words
  /** Why every use reaches: only an exact rule allows it. */
  readonly always?: string
  /** Why it reaches when no operand is given: an interpreter then reads code from its input. */
  readonly bare?: string
  /** Options with which it does not: `--version`. */
  readonly bareFine?: Words
  /** Why → operands that reach. */
  readonly operandReach?: Readonly<Record<string, RegExp>>
  /** Why → values of options that reach. */
  readonly valueReach?: Readonly<Record<string, RegExp>>
  /** Why naming an operand reaches (`npx NAME`, `ping HOST`): a rule must name it. */
  readonly operandsReach?: string
  /** Plain options whose value is a revision that goes on to git, which would read `--output=x` as an option. */
  readonly revisions?: Words
  /** Plain options whose value is text for people: it may come from a substitution. */
  readonly texts?: Words
  /** What its first operand, or any operand, looks like where it is plain; any other reaches. */
  readonly plainFirst?: RegExp
  readonly plainOperand?: RegExp
  /** Words after `--` are for another program: the options among them that are plain. */
  readonly passes?: Words
  /** Words after `--` are for the project's own program: they may be anything. */
  readonly passesAnything?: boolean
  /** What its operands are; `mention` (the default) may be a file: only denies count. */
  readonly operands?: Operands
  /** Options whose value is a file, or may name one; without a dash, operands: `dd of=x`. */
  readonly files?: { readonly read?: Words; readonly write?: Words; readonly mention?: Words }
  /** Options that make its operands written: `sed -i`, `prettier --write`. */
  readonly writesWith?: Words
  /** Writing is what it is for: whoever allows it means it. */
  readonly implied?: boolean
  /** Its operands go, with all that is in them. */
  readonly removes?: boolean
  /** Its script (an operand, or an option's value) in a small language: why it cannot be proved harmless. */
  readonly script?: {
    readonly options?: Words
    readonly doubt: (text: string) => string | undefined
  }
  /** The first operand names a command of its own. */
  readonly commands?: Readonly<Record<string, Usage>>
  /** Why commands that are not listed reach. */
  readonly otherwise?: string
  /** A last word alone that is no command is plain: it is asked for, not set. */
  readonly asksFor?: boolean
  /** Whatever it is given, it only reads files and prints: words that come in when it runs may stand. */
  readonly onlyReads?: boolean
  /** What it prints are names of files in the folders it lists. */
  readonly printsNames?: Condition
  /** Options that choose which names it prints: in whatever way, by a pattern of the last name, by the type that `f` is a file of. */
  readonly chooses?: { readonly narrows: Words; readonly named: Words; readonly files: Words }
  /** What it prints are lines of what comes in, unchanged. */
  readonly filters?: Condition
  /** No argument can make it write, run or reveal anything: globs and loop variables may stand. */
  readonly harmless?: boolean
  /** It does nothing by itself: it needs no rule. */
  readonly idle?: boolean
  /** What comes in is only data to it: a here-document may stand. */
  readonly input?: 'data'
  /** It reads expressions in its words, `a[$(…)]` among them. */
  readonly evaluates?: boolean
  /** It obeys settings of the folder it runs in. */
  readonly readsFolderSettings?: boolean
  /** It runs code that its words do not show. */
  readonly opaque?: boolean
  /** It runs the command among its words. */
  readonly wrapper?: Wrapper
  /** Different spellings of one option, for rules that deny: `-r`, `-R`, `--recursive`. */
  readonly same?: readonly Words[]
  /** It moves the shell to the folder its operand names. */
  readonly moves?: boolean
}

export type Reasons = Readonly<Record<string, Words>>

/** What an operand is to a file. `script` and `text` are none; an `address` is of the web, a `remote` of git. */
export type OperandRole =
  | 'read'
  | 'write'
  | 'list'
  | 'text'
  | 'script'
  | 'mention'
  | 'pathspec'
  | 'address'
  | 'remote'

export interface Operands {
  readonly first?: OperandRole
  /** With one of these options there is no special first operand: `grep -e`. */
  readonly unless?: Words
  readonly last?: OperandRole
  readonly rest: OperandRole
  /** With no file named it takes the folder it stands in: always but after a pipe, or in one of these cases. */
  readonly folder?: 'always' | readonly Condition[]
  /** With one of these it takes it though a file is named. */
  readonly unlimited?: Words
  /** One that is the hash of an object may be any file of the folder: always, or beside another operand. */
  readonly hashes?: 'always' | 'beside'
}

/** With one of these options (undefined: with any or none), and none of those. */
export interface Condition {
  readonly with?: Words
  readonly unless?: Words
}

export interface Wrapper {
  /** Operands before the command. */
  readonly skip?: number
  /** `NAME=value` words may stand before the command. */
  readonly assigns?: boolean
  /** It changes nothing but time and order: the command inside decides, if only options of `only` are used. */
  readonly clear?: boolean
  /** Options whose value is text for a shell. */
  readonly text?: Words
  /** Its words are joined and given to a shell. */
  readonly joins?: boolean
  /** It adds words that come in when it runs: `xargs`. With these options, each name that comes in is one of them as it is. */
  readonly adds?: Words
  /** Options whose value is a mark that what comes in is put in for: `xargs -I {}`. */
  readonly replaces?: Words
  /** It takes away a `--` among the words of the command: `npm exec jest -- …`. */
  readonly unmarks?: boolean
  /** Options after which the command stands, up to `;` or `+`: `find -exec`. */
  readonly sections?: Words
  /** Text that comes in is run, if there is no operand. */
  readonly input?: boolean
  /** The text is run in this very shell: it may move it. */
  readonly here?: boolean
  /** Which of its words may be a command is not known: only rules that deny look at them. */
  readonly vague?: boolean
  /** With one of these it runs nothing: `command -v`. */
  readonly unless?: Words
  /** A rule that names the command inside means it: `Bash(xargs grep:*)`. */
  readonly nameable?: boolean
  /** The command stands behind this mark, if it is there: `kubectl exec pod -- …`. */
  readonly after?: string
  /** The option whose value is the program: `python3 -m pytest`. Without it, it runs nothing else. */
  readonly module?: Words
}

/** An option that a table names. */
export interface Entry {
  /** With its dashes. */
  readonly name: string
  readonly takes: 'nothing' | 'value' | 'glued'
  /** What its value may be; undefined: anything. */
  readonly choices?: readonly string[]
}

/** The words of a list, split once. */
export const list: (words: Words | undefined) => readonly string[] = once((words) =>
  words.trim().split(/\s+/).filter(Boolean),
)

/** The options of a list, read once. */
export const entries: (words: Words | undefined) => readonly Entry[] = once((words) =>
  list(words).map(readEntry),
)

function readEntry(text: string): Entry {
  const equals = text.indexOf('=', 1)
  if (equals < 0) return { name: text, takes: 'nothing' }
  const glued = text[equals - 1] === '['
  const name = text.slice(0, glued ? equals - 1 : equals)
  const choices = text.slice(equals + 1).replace(/\]$/, '')
  return {
    name,
    takes: glued ? 'glued' : 'value',
    ...(choices && { choices: choices.split('|') }),
  }
}

function once<Item>(
  read: (words: Words) => readonly Item[],
): (words: Words | undefined) => readonly Item[] {
  const known = new Map<Words, readonly Item[]>()
  return (words) => {
    if (!words) return []
    let found = known.get(words)
    if (!found) known.set(words, (found = read(words)))
    return found
  }
}

/** The same usage for several commands. */
export const each = (names: Words, usage: Usage): Record<string, Usage> =>
  Object.fromEntries(list(names).map((name) => [name, usage]))
