/**
 * The facts about a program, as data. They list plain uses: any other option, and any other operand if plain operands
 * are described, does more than the program's name says ("reaches"). An option is written as on the command line:
 *
 *     --quiet               takes no value
 *     -n=  --lines=         takes a value: attached, after `=`, or the next word
 *     --color[=]  -j[=]     takes a value only if it is attached or after `=`
 *     --arg==               takes two values: the next two words
 *     --reporter=dot|spec   takes one of these values
 */
export interface Program extends Usage {
  readonly names: Words
}

/** Words separated by whitespace. */
export type Words = string

/** How a program, or one of its subcommands, is used. */
export interface Usage {
  /** One dash and a word is a single option (`find -name`). Otherwise letters bundle and long options may be abbreviated. */
  readonly oneDash?: boolean
  /** The options that are plain. */
  readonly options?: Words
  /** Its options are unknown: only those count that reach in almost any program. */
  readonly open?: boolean
  /** Reason → options: run other code, write, load other settings, send. Only for the reason: what isn't plain reaches anyway. */
  readonly reach?: Reasons
  /** Its options precede its first operand: what follows belongs to the command it runs. */
  readonly early?: boolean
  /** Options with a value, after which everything belongs to the command it runs: `python -m NAME`. */
  readonly ends?: Words
  /** Why every use reaches, so that only an exact rule allows it. */
  readonly always?: string
  /** Why it reaches without operands: an interpreter then reads code from its input. */
  readonly bare?: string
  /** Options with which it doesn't reach without operands: `--version`. */
  readonly bareFine?: Words
  /** Reason → operands that reach. */
  readonly operandReach?: Readonly<Record<string, RegExp>>
  /** Reason → option values that reach. */
  readonly valueReach?: Readonly<Record<string, RegExp>>
  /** Why any operand reaches (`npx NAME`, `ping HOST`), so that a rule must name it. */
  readonly operandsReach?: string
  /** Plain options whose value is a revision passed to git, which would read `--output=x` as an option. */
  readonly revisions?: Words
  /** Plain options whose value is text for people, which may come from a substitution. */
  readonly texts?: Words
  /** If its first operand is known, the others are only data, which may be unknown until it runs: `printf '%s' "$x"`. */
  readonly formats?: boolean
  /** The pattern of a plain first operand. Any other reaches. */
  readonly plainFirst?: RegExp
  /** The pattern of plain operands. Any other reaches. */
  readonly plainOperand?: RegExp
  /** Words after `--` are passed on to another program. These options are plain for it. */
  readonly passes?: Words
  /** Words after `--` are passed on to the project's own program, and may be anything. */
  readonly passesAnything?: boolean
  /** The kinds of its operands. Default: `mention`, which may be a file, so only deny rules count. */
  readonly operands?: Operands
  /** Options whose value is a file, may name one, or is a remote of git. Without a dash, operands: `dd of=x`. */
  readonly files?: {
    readonly read?: Words
    readonly write?: Words
    readonly mention?: Words
    readonly remote?: Words
  }
  /** Options with which it follows redirects, which may lead to any host. */
  readonly redirects?: Words
  /** Options with which it writes its operands: `sed -i`, `prettier --write`. */
  readonly writesWith?: Words
  /** It writes its operands, which is its purpose, unless it has one of these options: `black --check`. */
  readonly writesUnless?: Words
  /** Writing is its purpose, so allowing the program allows it. */
  readonly implied?: boolean
  /** It removes its operands with all their content. */
  readonly removes?: boolean
  /** Its script in a small language, an operand or the value of an option. `caution`: why it can't be proved harmless. */
  readonly script?: {
    readonly options?: Words
    readonly caution: (text: string) => string | undefined
  }
  /** Its subcommands: the first operand names one. */
  readonly commands?: Readonly<Record<string, Usage>>
  /** Why subcommands that are not listed reach. */
  readonly otherwise?: string
  /** Why it reaches as a subcommand, so that a rule must state its name. */
  readonly stated?: string
  /** A single last word that is not a subcommand is plain: its value is shown, not set. */
  readonly asksFor?: boolean
  /** It only reads files and prints, whatever its arguments: words that are unknown until it runs are accepted. */
  readonly onlyReads?: boolean
  /** Its output is the names of files in the folders it lists. */
  readonly printsNames?: Condition
  /**
   * With no options but these, it prints its operands if all of them are files, and without operands the names in its folder:
   * `ls`.
   */
  readonly printsOperands?: Words
  /** Options that select which names it prints: in some way, by a pattern for the last part, or by type (`f` for files). */
  readonly chooses?: { readonly narrows: Words; readonly named: Words; readonly files: Words }
  /** Its output is lines of its input, unchanged. */
  readonly filters?: Condition
  /** No argument can make it write, run or reveal anything: globs and loop variables are accepted. */
  readonly harmless?: boolean
  /** No argument can make it run other code: `rm`. */
  readonly runsNothing?: boolean
  /** It has no effect, so it needs no rule. */
  readonly idle?: boolean
  /** Its input is only data to it: a here-document is accepted. */
  readonly input?: 'data'
  /** It evaluates expressions in its words, such as `a[$(…)]`. */
  readonly evaluates?: boolean
  /**
   * It obeys settings in the folder it runs in, or only those of the repository that the folder belongs to. `any`: in files
   * that are not all among those that need approval to be written, so that it may only run in a root.
   */
  readonly obeys?: 'folder' | 'repository' | 'any'
  /** It changes no file in a folder, as long as its options are plain. */
  readonly still?: boolean
  /** It runs code that isn't in its words. */
  readonly opaque?: boolean
  /** It runs the command among its words. */
  readonly wrapper?: Wrapper
  /** Different spellings of one option, for rules that deny: `-r`, `-R`, `--recursive`. */
  readonly same?: readonly Words[]
  /** It remembers the folder that it leaves, for a command that returns there: `pushd`. */
  readonly leaves?: boolean
  /** It returns to a folder that the shell has left: `popd`. */
  readonly returns?: boolean
  /** Options that mean something else in the version of the program on macOS. */
  readonly gnu?: Words
  /** The names it prints are those of files that git tracks. */
  readonly printsTracked?: Condition & {
    /** Only without operands. */
    readonly bare?: boolean
    /** Only those that differ from its index. */
    readonly changed?: boolean
  }
  /** It shows files of earlier commits: always, or if its operands name one. */
  readonly past?: 'always' | 'operands'
  /** Without commits, it shows only files that git tracks. */
  readonly tracked?: true
  /** Options with which it does in any case. */
  readonly pastWith?: Words
  /** With no options but these, it shows only what differs from a commit, or between commits, as `git diff` does. */
  readonly compares?: Words
  /** It prints a hash or nothing in these cases. */
  readonly printsHash?: Condition
  /** Variables that may be set for it alone: `IFS= read line`. */
  readonly prefixes?: Words
  /** Its operands are variables that it sets. */
  readonly sets?: boolean
  /** Options that make it run in another folder, before all else: `make -C sub`. */
  readonly runsIn?: Words
  /** A first word that only selects a version of it: `cargo +nightly`. */
  readonly selects?: RegExp
  /** Options whose values are patterns for the names of the files that it uses in a folder: `grep --include`. */
  readonly only?: Words
  /** Options that make the patterns of `only` mean something else. */
  readonly onlyUnless?: Words
  /** Patterns for the names of the files that it uses in a folder. */
  readonly sources?: Words
  /** It also uses files of these names that others import, wherever they are in the workspace, and shows what is wrong in them. */
  readonly followsImports?: boolean
  /** Options with which it only prints names: `rg --files`. */
  readonly listsWith?: Words
  /** Options with which it shows nothing of what is in its operands: `du -s`. */
  readonly summarizesWith?: Words
  /** Options with which it copies folders. */
  readonly brings?: Words
  /** It may put any files and links into folders: `git checkout`. */
  readonly fills?: boolean
  /** The only options with which it doesn't, if there are no operands: `git checkout -b`, but not with `-f`. */
  readonly fillsUnless?: Words
  /** It makes git track what its operands name, which may be a repository in which git then runs; or it commits that. */
  readonly tracks?: 'adds' | 'commits'
  /** In these cases, it overwrites files that git tracks and that have changed, wherever they are: `git reset --hard`. */
  readonly discards?: Condition
  /** The files that it puts into folders were tracked there before. */
  readonly restores?: true
  /** Options with which it commits files that git doesn't track: `git stash -u`. */
  readonly commitsNew?: Words
  /** It brings commits from where its first operand says, which must be the name of a remote. */
  readonly imports?: boolean
  /** It fills a new folder: the one that its second operand names, or one that has the name of what its first operand names. */
  readonly clones?: true
  /** It doesn't look into repositories that git tracks. */
  readonly shallow?: boolean
  /** Options that name a part of the project, which the settings in the folder list: `npm --workspace`. */
  readonly partOf?: Words
  /** It writes a file of the same name if the last operand is a folder. */
  readonly copies?: boolean
  /** It moves the shell to the folder its operand names. */
  readonly moves?: boolean
  /** Its name is only like that of a listed program, so it may be another one. */
  readonly alike?: true
}

/** Reasons, each with the options it applies to. */
export type Reasons = Readonly<Record<string, Words>>

/** The kind of an operand. `entry` is listed without following it if it is a link, `move` is written under another name, `target` may be written or be no file at all, `script` and `text` are no files, an `address` is a URL, a `remote` is one of git. */
export type OperandRole =
  | 'read'
  | 'write'
  | 'move'
  | 'entry'
  | 'target'
  | 'list'
  | 'text'
  | 'script'
  | 'mention'
  | 'pathspec'
  | 'address'
  | 'remote'

/** The operands of a program. */
export interface Operands {
  readonly first?: OperandRole
  /** With one of these options there is no special first operand: `grep -e`. */
  readonly unless?: Words
  /** With one of these options, all operands are what the first one is: `git fetch --multiple`. */
  readonly allLikeFirst?: Words
  readonly last?: OperandRole
  readonly rest: OperandRole
  /** If no file is named, it uses the current folder: always unless it reads from a pipe, or in one of these cases. */
  readonly folder?: 'always' | readonly Condition[]
  /** Options with which it uses the folder even if a file is named. */
  readonly unlimited?: Words
  /** An operand that is the hash of an object may be any file of the folder: always, or only next to another operand. */
  readonly hashes?: 'always' | 'beside'
}

/** With one of the options in `with` (undefined: with any or none), and none of those in `unless`. */
export interface Condition {
  readonly with?: Words
  readonly unless?: Words
  /** No options but these. */
  readonly only?: Words
}

/** How a program runs the command among its words. */
export interface Wrapper {
  /** How many operands precede the command. */
  readonly skip?: number
  /** `NAME=value` words may precede the command. */
  readonly assigns?: boolean
  /** It has no effect besides running the command, so only the command needs a rule. */
  readonly clear?: boolean
  /** Options whose value is shell text. */
  readonly text?: Words
  /** Its words are joined into shell text. */
  readonly joins?: boolean
  /** It adds words from its input: `xargs`. With these options, each name in the input becomes one word, unchanged. */
  readonly adds?: Words
  /** Options whose value is a placeholder for names from its input: `xargs -I {}`. */
  readonly replaces?: Words
  /** Options whose value says where a word ends in its input: `xargs -d`. */
  readonly delimits?: Words
  /** The command that it runs if none is given. */
  readonly otherwise?: string
  /** It removes a `--` from the words of the command: `npm exec jest -- …`. */
  readonly unmarks?: boolean
  /** Options that are followed by a command, up to `;` or `+`: `find -exec`. */
  readonly sections?: Words
  /** Without operands, it runs its input as shell text. */
  readonly input?: boolean
  /** The text runs in the current shell, so it may change its folder. */
  readonly here?: boolean
  /** Which of its words are a command is unknown: only deny rules check them. */
  readonly vague?: boolean
  /** Options with which it runs nothing: `command -v`. */
  readonly unless?: Words
  /** A rule can name the wrapped command: `Bash(xargs grep:*)`. */
  readonly nameable?: boolean
  /** The command follows this word, if present: `kubectl exec pod -- …`. */
  readonly after?: string
  /** The option whose value is the program: `python3 -m pytest`. Without it, no other program runs. */
  readonly module?: Words
  /** It looks for modules in its folder first: in files of these names, unless it has one of these options. */
  readonly loads?: {
    readonly files: RegExp
    readonly unless: Words
    /** Modules that run the code of the project, and so load its modules in any case. */
    readonly except: RegExp
    /** Modules that need only those of the library, and which files may be loaded in place of these. */
    readonly own: { readonly modules: RegExp; readonly isNeeded: (file: string) => boolean }
  }
}

/** An option in a table. */
export interface Entry {
  /** With its dashes. */
  readonly name: string
  readonly takes: 'nothing' | 'value' | 'attached' | 'two'
  /** The values it may have; undefined: any. */
  readonly choices?: readonly string[]
}

/** The words of a list, cached. */
export const list: (words: Words | undefined) => readonly string[] = once((words) =>
  words.trim().split(/\s+/).filter(Boolean),
)

/** The options of a list, cached. */
export const entries: (words: Words | undefined) => readonly Entry[] = once((words) =>
  list(words).map(readEntry),
)

function readEntry(text: string): Entry {
  const equals = text.indexOf('=', 1)
  if (equals < 0) return { name: text, takes: 'nothing' }
  if (text.endsWith('==')) return { name: text.slice(0, -2), takes: 'two' }
  const attached = text[equals - 1] === '['
  const name = text.slice(0, attached ? equals - 1 : equals)
  const choices = text.slice(equals + 1).replace(/\]$/, '')
  return {
    name,
    takes: attached ? 'attached' : 'value',
    choices: choices ? choices.split('|') : undefined,
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
