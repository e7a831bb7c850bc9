/**
 * Facts about a program, as data. The tables list plain uses only. Any other option (and any other
 * operand, if plain operands are described) does more than the program's name suggests; it
 * "reaches". An option is written as on the command line:
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

/** The usage of a program or of one of its subcommands. */
export interface Usage {
  /**
   * True if one dash and a word form a single option (`find -name`). Otherwise letters can be
   * bundled and long options abbreviated.
   */
  readonly oneDash?: boolean
  /** The plain options. */
  readonly options?: Words
  /**
   * True if its options are unknown, so only options that reach in almost any program are checked.
   */
  readonly open?: boolean
  /**
   * Options that reach, by reason: run other code, write, load other settings, send. Needed only
   * for the reasons, since any option that isn't plain reaches.
   */
  readonly reach?: Reasons
  /**
   * True if options precede the first operand. All later words belong to the command that the
   * program runs.
   */
  readonly early?: boolean
  /**
   * Options with a value, after which all words belong to the command that the program runs:
   * `python -m NAME`.
   */
  readonly ends?: Words
  /** The reason why every use reaches, so that only an exact rule allows it. */
  readonly always?: string
  /** The reason why it reaches without operands: an interpreter then reads code from its input. */
  readonly bare?: string
  /** Options with which a call without operands doesn't reach: `--version`. */
  readonly bareFine?: Words
  /** Operands that reach, by reason. */
  readonly operandReach?: Readonly<Record<string, RegExp>>
  /** Option values that reach, by reason. */
  readonly valueReach?: Readonly<Record<string, RegExp>>
  /**
   * The reason why any operand reaches (`npx NAME`, `ping HOST`), so that a rule must contain it.
   */
  readonly operandsReach?: string
  /**
   * Plain options whose value is a revision passed to git, which would read `--output=x` as an
   * option.
   */
  readonly revisions?: Words
  /** Plain options whose value is text for people, which may come from a substitution. */
  readonly texts?: Words
  /**
   * True if a known first operand makes all others plain data, which may be unknown until it runs:
   * `printf '%s' "$x"`.
   */
  readonly formats?: boolean
  /** The pattern of a plain first operand. Others reach. */
  readonly plainFirst?: RegExp
  /** The pattern of plain operands. Others reach. */
  readonly plainOperand?: RegExp
  /** Options that are plain for the program to which words after `--` are passed. */
  readonly passes?: Words
  /** True if words after `--` are passed to the project's own program, so they may be anything. */
  readonly passesAnything?: boolean
  /**
   * The roles of its operands. Default: `mention`, which may be a file, so only deny rules apply.
   */
  readonly operands?: Operands
  /**
   * Options whose value is a file, may contain one, or is a git remote. Names without a dash are
   * operands: `dd of=x`.
   */
  readonly files?: {
    readonly read?: Words
    readonly write?: Words
    readonly mention?: Words
    readonly remote?: Words
  }
  /** Options that make it follow redirects, which may lead to any host. */
  readonly redirects?: Words
  /** Options that make it write its operands: `sed -i`, `prettier --write`. */
  readonly writesWith?: Words
  /**
   * Options that stop it from writing its operands, which is otherwise its purpose: `black
   * --check`.
   */
  readonly writesUnless?: Words
  /** True if writing is its purpose, so that allowing the program allows it. */
  readonly implied?: boolean
  /** True if it removes its operands with all their content. */
  readonly removes?: boolean
  /**
   * Its script in a small language, in an operand or an option's value. `caution` returns the
   * reason why the script can't be proven harmless.
   */
  readonly script?: {
    readonly options?: Words
    readonly caution: (text: string) => string | undefined
  }
  /** Its subcommands. The first operand selects one. */
  readonly commands?: Readonly<Record<string, Usage>>
  /** The reason why unlisted subcommands reach. */
  readonly otherwise?: string
  /** The reason why it reaches as a subcommand, so that a rule must contain its name. */
  readonly stated?: string
  /**
   * True if a single last word that is not a subcommand is plain, because its value is shown and
   * not set.
   */
  readonly asksFor?: boolean
  /**
   * True if the program only reads files and prints, for any arguments, so that words unknown until
   * it runs are accepted.
   */
  readonly onlyReads?: boolean
  /** Condition: its output is the names of files in the folders it lists. */
  readonly printsNames?: Condition
  /**
   * With only these options, it prints its operands if all of them are files or, without operands,
   * the names in its folder: `ls`.
   */
  readonly printsOperands?: Words
  /**
   * Options that select the printed names: in some way, by a pattern for the last part, or by type
   * (`f` for files).
   */
  readonly chooses?: { readonly narrows: Words; readonly named: Words; readonly files: Words }
  /** Condition: its output is unchanged lines of its input. */
  readonly filters?: Condition
  /**
   * True if no argument can make it write, run or reveal anything, so that globs and loop variables
   * are accepted.
   */
  readonly harmless?: boolean
  /** True if no argument can make it run other code: `rm`. */
  readonly runsNothing?: boolean
  /** True if it has no effect, so it needs no rule. */
  readonly idle?: boolean
  /** Set if its input is only data, so that a here-document is accepted. */
  readonly input?: 'data'
  /** True if it evaluates expressions in its words, such as `a[$(…)]`. */
  readonly evaluates?: boolean
  /**
   * The settings that the program applies: those in its folder, or only those of the folder's
   * repository. With `any`, they may be in files that can be written without approval, so it may
   * only run in a root.
   */
  readonly obeys?: 'folder' | 'repository' | 'any'
  /** True if it changes no files, as long as its options are plain. */
  readonly still?: boolean
  /** True if it runs code that isn't in its words. */
  readonly opaque?: boolean
  /** Set if it runs the command in its words. */
  readonly wrapper?: Wrapper
  /** Equivalent spellings of an option, for deny rules: `-r`, `-R`, `--recursive`. */
  readonly same?: readonly Words[]
  /** True if it saves the current folder, so that another command can return there: `pushd`. */
  readonly leaves?: boolean
  /** True if it returns to a saved folder: `popd`. */
  readonly returns?: boolean
  /** Options with a different meaning in the macOS version. */
  readonly gnu?: Words
  /** Condition: all printed names refer to files that git tracks. */
  readonly printsTracked?: Condition & {
    /** True if this applies only without operands. */
    readonly bare?: boolean
    /** True if it prints only files that differ from the index. */
    readonly changed?: boolean
  }
  /** Set if it shows files of earlier commits: always, or if its operands refer to a commit. */
  readonly past?: 'always' | 'operands'
  /** Without commits, it shows only tracked files. */
  readonly tracked?: true
  /** Options with which it always shows earlier commits. */
  readonly pastWith?: Words
  /**
   * With only these options, it shows only differences from a commit or between commits, as `git
   * diff` does.
   */
  readonly compares?: Words
  /** Condition: it prints only a hash or nothing. */
  readonly printsHash?: Condition
  /** Variables that may be set for this command alone: `IFS= read line`. */
  readonly prefixes?: Words
  /** True if it sets the variables named in its operands. */
  readonly sets?: boolean
  /** Options that make it change to another folder first: `make -C sub`. */
  readonly runsIn?: Words
  /** A first word that only selects its version: `cargo +nightly`. */
  readonly selects?: RegExp
  /**
   * Options whose values are patterns for the names of files that it uses in a folder: `grep
   * --include`.
   */
  readonly only?: Words
  /** Options that change the meaning of the patterns in `only`. */
  readonly onlyUnless?: Words
  /** Patterns for the names of files that it uses in a folder. */
  readonly sources?: Words
  /**
   * True if it also uses files with these names that others import, anywhere in the workspace, and
   * shows their problems.
   */
  readonly followsImports?: boolean
  /** Options that make it print only names: `rg --files`. */
  readonly listsWith?: Words
  /** Options that make it show nothing inside its operands: `du -s`. */
  readonly summarizesWith?: Words
  /** Options that make it copy folders. */
  readonly brings?: Words
  /** True if it may put any files and links into folders: `git checkout`. */
  readonly fills?: boolean
  /**
   * The only options with which it doesn't, if there are no operands: `git checkout -b`, but not
   * with `-f`.
   */
  readonly fillsUnless?: Words
  /**
   * Set if it makes git track its operands, which may be a repository in which git then runs, or if
   * it commits them.
   */
  readonly tracks?: 'adds' | 'commits'
  /** Condition: it overwrites changed tracked files, wherever they are: `git reset --hard`. */
  readonly discards?: Condition
  /** True if the files it puts into folders were tracked there before. */
  readonly restores?: true
  /** Options that make it commit untracked files: `git stash -u`. */
  readonly commitsNew?: Words
  /** True if it fetches commits from its first operand, which must be the name of a remote. */
  readonly imports?: boolean
  /** True if it fills a new folder, which is its second operand or is named after the first one. */
  readonly clones?: true
  /** True if it ignores nested repositories that git tracks. */
  readonly shallow?: boolean
  /**
   * Options that select a part of the project, as listed in the folder's settings: `npm
   * --workspace`.
   */
  readonly partOf?: Words
  /** True if it writes a file with the same name when the last operand is a folder. */
  readonly copies?: boolean
  /** True if it changes the shell's folder to its operand. */
  readonly moves?: boolean
  /** True if the name is only similar to a listed one, so it may be another program. */
  readonly alike?: true
}

/** Reasons, each with the options it applies to. */
export type Reasons = Readonly<Record<string, Words>>

/**
 * The role of an operand. `entry` is listed without following links, `move` is written under
 * another name, `target` may be written or may not be a file, `script` and `text` are not files, an
 * `address` is a URL, a `remote` is a git remote.
 */
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
  /** Options that remove the special role of the first operand: `grep -e`. */
  readonly unless?: Words
  /** Options that give all operands the role of the first one: `git fetch --multiple`. */
  readonly allLikeFirst?: Words
  readonly last?: OperandRole
  readonly rest: OperandRole
  /**
   * Set if it uses the current folder when no file is given: always unless it reads from a pipe, or
   * under these conditions.
   */
  readonly folder?: 'always' | readonly Condition[]
  /** Options that make it use the folder even if a file is given. */
  readonly unlimited?: Words
  /**
   * Set if a hash as an operand may be any file of the folder: always, or only beside another
   * operand.
   */
  readonly hashes?: 'always' | 'beside'
}

/**
 * At least one of these options is required. Default: no requirement. None of those in `unless` is
 * allowed.
 */
export interface Condition {
  readonly with?: Words
  readonly unless?: Words
  /** The only allowed options. */
  readonly only?: Words
}

/** The way in which a program runs the command in its words. */
export interface Wrapper {
  /** The number of operands before the command. */
  readonly skip?: number
  /** True if `NAME=value` words may precede the command. */
  readonly assigns?: boolean
  /** True if it only runs the command, so that only the command needs a rule. */
  readonly clear?: boolean
  /** Options whose value is shell text. */
  readonly text?: Words
  /** True if its words are joined to shell text. */
  readonly joins?: boolean
  /**
   * Set if it adds words from its input: `xargs`. With these options, each name in the input
   * becomes one word unchanged.
   */
  readonly adds?: Words
  /** Options whose value is a placeholder for names from its input: `xargs -I {}`. */
  readonly replaces?: Words
  /** Options whose value is the separator between words in its input: `xargs -d`. */
  readonly delimits?: Words
  /** The default command. */
  readonly otherwise?: string
  /** True if it removes a `--` from the command's words: `npm exec jest -- …`. */
  readonly unmarks?: boolean
  /** Options that precede a command, which ends with `;` or `+`: `find -exec`. */
  readonly sections?: Words
  /** True if it runs its input as shell text when it has no operands. */
  readonly input?: boolean
  /** True if the text runs in the current shell, so it may change the shell's folder. */
  readonly here?: boolean
  /** True if it is unknown which of its words are a command, so only deny rules check them. */
  readonly vague?: boolean
  /** Options with which it runs nothing: `command -v`. */
  readonly unless?: Words
  /** True if a rule can contain the wrapped command: `Bash(xargs grep:*)`. */
  readonly nameable?: boolean
  /** A word that precedes the command, if present: `kubectl exec pod -- …`. */
  readonly after?: string
  /**
   * The option whose value is the program: `python3 -m pytest`. Without it, no other program runs.
   */
  readonly module?: Words
  /**
   * Set if it first searches its folder for modules, in files with these names, unless it has one
   * of these options.
   */
  readonly loads?: {
    readonly files: RegExp
    readonly unless: Words
    /** Modules that run the project's code, and so load its modules in any case. */
    readonly except: RegExp
    /**
     * Modules that need only the standard library, and a test for files that may be loaded in place
     * of it.
     */
    readonly own: { readonly modules: RegExp; readonly isNeeded: (file: string) => boolean }
  }
}

/** An option in a table. */
export interface Entry {
  /** The name with its dashes. */
  readonly name: string
  readonly takes: 'nothing' | 'value' | 'attached' | 'two'
  /** The allowed values. Default: any. */
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

/** Assigns the same usage to several commands. */
export const each = (names: Words, usage: Usage): Record<string, Usage> =>
  Object.fromEntries(list(names).map((name) => [name, usage]))
