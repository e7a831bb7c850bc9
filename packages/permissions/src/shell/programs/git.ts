import { each, type Program, type Usage } from '../program.ts'

const RUNS = 'runs other code'
const WRITES = 'writes to another file'
const LISTED = 'reads file names from elsewhere'
const SETTINGS = 'loads other settings'
const OUTSIDE = 'reads files outside the repository'
const REMOTES = 'changes where git fetches and pushes'

/** Options for selecting and showing commits. */
const LOG = `
      -n= --max-count= --skip= --since= --until= --after= --before= --since-as-filter= --author=
      --committer= --grep= --invert-grep --all-match -i --regexp-ignore-case -E -F -P
      --extended-regexp --fixed-strings --perl-regexp --basic-regexp --merges --no-merges
      --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --not --all
      --branches[=] --tags[=] --remotes[=] --glob= --exclude= --exclude-hidden= --reflog -g
      --walk-reflogs --cherry-mark --cherry-pick --cherry --left-only --right-only --left-right
      --boundary --simplify-by-decoration --simplify-merges --show-pulls --full-history --dense
      --sparse --ancestry-path[=] --date-order --author-date-order --topo-order --reverse
      --no-walk[=] --oneline --format= --pretty[=] --abbrev-commit --no-abbrev-commit --abbrev[=]
      --no-abbrev --encoding= --expand-tabs[=] --no-expand-tabs --notes[=] --no-notes
      --show-notes-by-default --show-signature --relative-date --date= --parents --children --graph
      --no-graph --show-linear-break[=] --decorate[=] --no-decorate --decorate-refs=
      --decorate-refs-exclude= --clear-decorations --source --log-size --mailmap --no-mailmap
      --use-mailmap --count --timestamp --header --follow --full-diff --diff-merges= --no-diff-merges
      -m --remove-empty --color[=] --no-color --summary --group= -s -e -c --numbered --email`

/** Options for showing differences. */
const DIFF = `
      -p -u --patch -s --no-patch -U[=] --unified[=] --raw --patch-with-raw --patch-with-stat --indent-heuristic
      --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat[=]
      --compact-summary --numstat --shortstat --dirstat[=] --cumulative -X[=] --summary -z --name-only
      --name-status --submodule[=] --color[=] --no-color --color-moved[=] --no-color-moved
      --color-moved-ws= --word-diff[=] --word-diff-regex= --color-words[=] --no-renames --renames
      --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary
      --abbrev[=] -B[=] --break-rewrites[=] -M[=] --find-renames[=] -C[=] --find-copies[=]
      --find-copies-harder -D --irreversible-delete -l= --diff-filter= -S= -G= --pickaxe-all
      --pickaxe-regex --skip-to= --rotate-to= -R --relative[=] --no-relative -a --text
      --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space
      --ignore-blank-lines -I= --ignore-matching-lines= --inter-hunk-context= -W --function-context
      --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=] --src-prefix=
      --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index
      --ita-visible-in-index --cached --staged --merge-base -0 -1 -2 -3 --base --ours --theirs --cc
      --combined-all-paths --dd --remerge-diff -t -r --root --no-commit-id --always`

/** Options that don't change which files or versions are compared. */
const SAME_FILES = `
      -p -u --patch -s --no-patch -U[=] --unified[=] --raw --patch-with-raw --patch-with-stat --minimal
      --patience --histogram --diff-algorithm= --stat[=] --compact-summary --numstat --shortstat --summary
      -z --name-only --name-status --color[=] --no-color --color-moved[=] --no-color-moved --word-diff[=]
      --word-diff-regex= --color-words[=] --no-renames --check --full-index --binary --abbrev[=] -M[=]
      --find-renames[=] -D --irreversible-delete --diff-filter= -S= -G= -R -a --text --ignore-cr-at-eol
      --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines
      --inter-hunk-context= -W --function-context --exit-code --quiet --no-ext-diff --no-textconv
      --src-prefix= --dst-prefix= --no-prefix --cached --staged --oneline --format= --pretty[=]
      --abbrev-commit --decorate[=] --no-decorate --date= --no-notes`

/** Options that may show unchanged files as the sources of copies. */
const COPIES = '-C[=] --find-copies[=] --find-copies-harder'

const NAMES =
  '--name-only --name-status --stat[=] --numstat --shortstat --summary --dirstat[=] -s --no-patch --quiet --compact-summary --raw'
const PATCH =
  '-p -u -S= -G= --patch --patch-with-raw --patch-with-stat -U[=] --unified[=] -W --function-context -c --cc -m --diff-merges= --word-diff[=] --word-diff-regex= --color-words[=] --dd --remerge-diff --binary --check'
// With `--follow`, any file may be treated as an earlier version of the given one.
const OBJECTS = { rest: 'pathspec', unlimited: '--full-diff --follow' } as const

/**
 * Options that also stash new files. These can be checked out from the stash, and are tracked then.
 */
const NEW_FILES = '-u -a --include-untracked --all'

/** Options that show what is staged. */
const VERBOSE = [{ with: '-v --verbose' }]

const outside = { 'may read files outside the repository': /^[/~]|(?:^|\/)\.\.(?:\/|$)/ }
const reach = {
  [WRITES]: '--output=',
  [RUNS]: '--ext-diff --textconv --help',
  [OUTSIDE]: '--no-index -O=',
  [LISTED]: '--stdin --pathspec-from-file=',
}

/** Shows commits and, optionally, their changes. */
const log: Usage = {
  still: true,
  options: `${LOG} ${DIFF}`,
  reach,
  operands: { ...OBJECTS, folder: [{ with: PATCH }] },
  files: { mention: '-L=' },
  operandReach: outside,
}
/** Shows changes, or an earlier version of a file. */
const shown = { ...OBJECTS, folder: [{ with: PATCH }, { unless: NAMES }] }
const show: Usage = { ...log, operands: { ...shown, hashes: 'always' } }
const diff: Usage = {
  ...log,
  operands: shown,
  past: 'operands',
  pastWith: `--cached --staged --merge-base --submodule[=] ${COPIES}`,
  compares: SAME_FILES,
  tracked: true,
  printsNames: { with: '--name-only', unless: `${PATCH} --line-prefix= --color[=]` },
  // Without commits, it compares tracked files with the index.
  printsTracked: {
    with: '--name-only',
    only: '--name-only --diff-filter= --no-renames -z',
    bare: true,
    changed: true,
  },
}
/** Shows names but never contents. */
const names = (options: string): Usage => ({
  still: true,
  options,
  reach,
  operands: { rest: 'list' },
  operandReach: outside,
})
const plain: Usage = { options: '-q --quiet -v --verbose -n --dry-run' }
const bare: Usage = {}
const transfer: Usage = {
  options: `
      -q -v -n -a -f -p -k -t -4 -6 -j= --quiet --verbose --progress --no-progress --dry-run --all
      --append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow
      --update-shallow --force --keep --prune --no-prune --prune-tags --tags --no-tags --multiple
      --refetch --jobs= --set-upstream --ipv4 --ipv6 --recurse-submodules[=] --no-recurse-submodules
      --no-auto-maintenance --no-auto-gc --no-write-commit-graph --filter= --negotiation-tip= --porcelain`,
  reach: {
    [RUNS]: '--upload-pack= --receive-pack= --exec= -u=',
    [SETTINGS]: '-c= --config= --template=',
  },
  operands: { first: 'remote', rest: 'mention', allLikeFirst: '--multiple' },
}
const writes: Usage = { always: 'changes the configuration of git' }
const runs: Usage = { always: RUNS }
const SIGN = '-S[=] --gpg-sign[=]'
const ask = { [RUNS]: `-e --edit -s= --strategy= ${SIGN}`, [LISTED]: '--pathspec-from-file=' }
/**
 * Options of a merge strategy. All other options move files to other paths (`subtree`), or may do
 * so (`find-renames`).
 */
const STRATEGY = [
  ...['ours', 'theirs', 'patience', 'histogram', 'minimal', 'renormalize', 'no-renormalize'],
  ...['ignore-space-change', 'ignore-all-space', 'ignore-space-at-eol', 'ignore-cr-at-eol'],
  ...['diff-algorithm=patience', 'diff-algorithm=histogram', 'diff-algorithm=minimal'],
].join('|')
const MERGE = `
      -q -v -n --quiet --verbose --stat --no-stat --squash --no-squash --ff --no-ff --ff-only
      --commit --no-commit --no-edit --abort --quit --continue --autostash --no-autostash
      --allow-unrelated-histories --log[=] --no-log --no-signoff --signoff --progress --no-progress
      -X=${STRATEGY} --strategy-option=${STRATEGY} --no-verify-signatures --no-rerere-autoupdate --rerere-autoupdate`
const note: Usage = {
  texts: '-m= --message=',
  options: '-f --force --allow-empty --separator= --no-separator',
  files: { read: '-F= --file=' },
  reach: { [RUNS]: '-e --edit -c= --reedit-message= -C= --reuse-message=' },
}

export const git: Program = {
  names: 'git',
  obeys: 'repository',
  past: 'always',
  runsIn: '-C=',
  // Only the first operand is read here. Each subcommand below has its own options.
  options: `
      --no-pager -P --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice
      --literal-pathspecs --glob-pathspecs --noglob-pathspecs --namespace=
      --list-cmds= --version -v`,
  reach: {
    [SETTINGS]: '-c= --config-env= --git-dir= --work-tree= -C= --super-prefix= --bare',
    [RUNS]: '--exec-path= -p --paginate --help',
    'means other files than those that are checked': '--icase-pathspecs',
  },
  operandReach: { 'may run a program to connect': /^[\w.+-]+::|:\/\/-/ },
  otherwise: 'is not a known git command, and may be an alias',
  commands: {
    log: {
      ...log,
      shallow: true,
    },
    whatchanged: log,
    'rev-list': {
      ...log,
      options: `${LOG} --objects --objects-edge --disk-usage[=] --max-age= --min-age= --left-right --quiet`,
    },
    shortlog: { ...log, operands: { rest: 'mention' } },
    show,
    diff,
    'diff-files': log,
    'diff-index': log,
    'diff-tree': log,
    'range-diff': {
      ...show,
      options: `${DIFF} --creation-factor= --left-only --right-only --no-dual-color`,
    },
    status: {
      ...names(`
      -s -b -u[=] -z -v --short --branch --show-stash --long --verbose --untracked-files[=]
      --ignore-submodules[=] --ignored[=] --column[=] --no-column --ahead-behind --no-ahead-behind
      --renames --no-renames --find-renames[=] --porcelain[=]`),
      operands: { rest: 'list', folder: VERBOSE },
    },
    branch: {
      ...names(`
      -a -r -v -l -d -D -m -M -c -C -f -q -i -t --all --remotes --verbose --list --delete --move
      --copy --force --quiet --ignore-case --track[=] --no-track --set-upstream-to= -u=
      --unset-upstream --show-current --contains[=] --no-contains[=] --merged[=] --no-merged[=]
      --points-at= --sort= --format= --color[=] --no-color --column[=] --no-column --abbrev[=]
      --no-abbrev --create-reflog`),
    },
    'rev-parse': {
      ...names(`
      -q --quiet --verify --short[=] --abbrev-ref[=] --symbolic --symbolic-full-name --show-toplevel
      --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir
      --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-object-format[=]
      --all --branches[=] --tags[=] --remotes[=] --glob= --exclude= --since= --until= --default=
      --show-superproject-working-tree --revs-only --no-revs --flags --no-flags --not --path-format=`),
    },
    'ls-files': {
      ...names(`
      -c -d -m -o -i -s -u -k -z -t -v -f -x= --cached --deleted --modified --others --ignored
      --stage --unmerged --killed --directory --no-empty-directory --eol --exclude-standard
      --exclude= --error-unmatch --full-name --recurse-submodules --abbrev[=] --debug --deduplicate
      --sparse`),
      printsNames: { unless: '-s --stage -u --unmerged --eol -t -v -f --debug' },
      printsTracked: { only: '-c --cached -d --deleted -m --modified -z --deduplicate' },
      files: { read: '-X= --exclude-from= --exclude-per-directory=' },
    },
    'ls-tree': names(`
      -d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree
      --abbrev[=]`),
    describe: names(`
      --all --tags --contains --abbrev[=] --candidates= --exact-match --debug --long --match=
      --exclude= --always --first-parent --dirty[=] --broken[=]`),
    'name-rev': names('--tags --refs= --exclude= --all --name-only --no-undefined --always'),
    'merge-base': {
      ...names('-a --all --octopus --independent --is-ancestor --fork-point'),
      printsHash: { unless: '-a --all --independent' },
    },
    'count-objects': names('-v -H --verbose --human-readable'),
    'show-ref': names(
      '--head --heads --branches --tags -d --dereference -s --hash[=] --verify --exists --abbrev[=] -q --quiet',
    ),
    'show-branch': names(
      '-a -r --all --remotes --current --topo-order --date-order --sparse --more[=] --list --merge-base --independent --no-name --sha1-name --topics --color[=] --no-color',
    ),
    'for-each-ref': names(
      '--count= --sort= --format= --color[=] --points-at= --merged[=] --no-merged[=] --contains[=] --no-contains[=] --ignore-case --omit-empty --exclude=',
    ),
    cherry: names('-v --abbrev[=]'),
    'check-ignore': names('-q -v -n -z --quiet --verbose --non-matching --no-index'),
    'check-attr': names('-a -z --all --cached --source='),
    'check-ref-format': names('--branch --normalize --allow-onelevel --refspec-pattern'),
    'check-mailmap': names(''),
    'verify-commit': names('-v --verbose --raw'),
    'verify-tag': names('-v --verbose --raw --format='),
    'verify-pack': names('-v -s --verbose --stat-only'),
    fsck: names(
      '--full --strict --verbose --progress --no-progress --unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --connectivity-only --name-objects',
    ),
    version: names('--build-options'),
    column: bare,
    stripspace: { still: true, options: '-s -c --strip-comments --comment-lines' },
    'get-tar-commit-id': bare,
    'patch-id': { still: true, options: '--stable --unstable --verbatim' },
    var: { always: 'shows environment variables' },
    bugreport: { always: 'shows environment variables' },
    ...each('blame annotate', {
      still: true,
      options: `
      -b -c -f -n -p -s -e -w -t -l -M[=] -C[=] --root --show-stats --incremental --porcelain
      --line-porcelain --show-name --show-number --show-email --color-lines --color-by-age
      --score-debug --progress --no-progress --ignore-rev= --first-parent --reverse --since=
      --minimal --abbrev[=] --date= --encoding=`,
      operands: { rest: 'pathspec' },
      operandReach: outside,
      files: { read: '--contents= -S= --ignore-revs-file=', mention: '-L=' },
    }),
    'cat-file': {
      still: true,
      options: '-e -p -t -s',
      operands: { rest: 'pathspec', folder: [{ unless: '-e -t -s' }] },
      reach: {
        [RUNS]: '--textconv --filters',
        [LISTED]: '--batch[=] --batch-check[=] --batch-command[=] --batch-all-objects',
      },
    },
    'hash-object': {
      still: true,
      operands: { rest: 'read' },
      options: '-t=blob --no-filters --stdin',
      reach: { [RUNS]: '--path=', [LISTED]: '--stdin-paths' },
    },
    notes: {
      commands: { list: plain, show: plain, add: note, append: note },
      options: '--ref=',
      otherwise: 'changes notes or starts an editor',
    },
    'symbolic-ref': {
      still: true,
      options: '-q --quiet --short --recurse',
      plainOperand: /^HEAD$/,
    },
    reflog: {
      commands: { show: log, exists: plain, list: plain },
      otherwise: 'changes the reflog',
      options: '-n= --oneline --date= --format= --pretty[=]',
    },
    tag: {
      texts: '-m= --message=',
      files: { read: '-F= --file=' },
      options: `
      -a -d -f -l -n[=] -i --annotate --delete --force --list --no-sign --sort= --format= --color[=]
      --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= --column[=] --no-column
      --ignore-case --create-reflog --cleanup=`,
      reach: { [RUNS]: '-e --edit -s --sign -u= --local-user= -v --verify' },
      operands: { rest: 'mention', hashes: 'beside' },
    },
    add: {
      tracks: 'adds',
      operands: { rest: 'list' },
      options: `
      -n -v -u -A -N --dry-run --verbose --update --all --no-all --ignore-removal
      --no-ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing --sparse
      --renormalize --chmod=+x|-x`,
      reach: {
        'adds ignored files': '-f --force',
        'starts an editor': '-e --edit',
        'asks interactively what to add': '-i -p --interactive --patch',
        [LISTED]: '--pathspec-from-file=',
      },
    },
    rm: {
      removes: true,
      operands: { rest: 'write' },
      implied: true,
      options: '-f -n -r -q --force --dry-run --cached --ignore-unmatch --quiet --sparse',
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    mv: {
      operands: { rest: 'move', last: 'write' },
      copies: true,
      implied: true,
      options: '-f -k -n -v --force --dry-run --verbose --sparse',
    },
    restore: {
      fills: true,
      operands: { rest: 'write', hashes: 'beside' },
      implied: true,
      files: { mention: '-s= --source=' },
      options: `
      -W -S -q -m -2 -3 --worktree --staged --quiet --progress --no-progress --ours
      --theirs --merge --conflict= --ignore-unmerged --overlay --no-overlay
      --ignore-skip-worktree-bits --recurse-submodules[=] --no-recurse-submodules`,
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    checkout: {
      fills: true,
      fillsUnless: '-b= -q --quiet --no-track',
      discards: { with: '-f --force' },
      operands: { rest: 'write', hashes: 'beside' },
      implied: true,
      options: `
      -b= -B= --orphan= -q -f -l -t -d -m -2 -3 --quiet --force --progress --no-progress --detach
      --track[=] --no-track --guess --no-guess --ours --theirs --merge --conflict= --overlay
      --no-overlay --overwrite-ignore --no-overwrite-ignore --recurse-submodules[=]
      --no-recurse-submodules`,
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    switch: {
      fills: true,
      fillsUnless: '-c= --create= -q --quiet --no-track',
      discards: { with: '-f --force --discard-changes' },
      operands: { rest: 'text' },
      options: `
      -c= -C= --create= --force-create= --orphan= -d -f -q -m -t --detach --force --discard-changes
      --merge --quiet --progress --no-progress --track[=] --no-track --guess --no-guess --conflict=
      --ignore-other-worktrees --recurse-submodules[=] --no-recurse-submodules`,
    },
    commit: {
      tracks: 'commits',
      operands: { rest: 'mention', folder: VERBOSE },
      texts: '-m= --message=',
      options: `
      --author= --date= --trailer= --fixup= --squash= -a -n -q -v -s -o -i -u[=] -z -C= --all
      --reset-author --short --branch --porcelain --long --null --no-verify --allow-empty
      --allow-empty-message --cleanup= --no-edit --amend --no-post-rewrite --include --only
      --untracked-files[=] --verbose --quiet --dry-run --status --no-status --signoff --no-signoff
      --no-gpg-sign --reuse-message=`,
      files: { read: '-F= --file=' },
      reach: {
        [RUNS]: `-e --edit -c= --reedit-message= -t= --template= -p --patch --interactive ${SIGN}`,
        [LISTED]: '--pathspec-from-file=',
      },
    },
    stash: {
      commands: {
        ...each('push save', {
          fills: true,
          discards: {},
          restores: true,
          commitsNew: NEW_FILES,
          texts: '-m= --message=',
          options:
            '-k -u -a -q -S --keep-index --no-keep-index --include-untracked --all --quiet --staged',
          reach: {
            [LISTED]: '--pathspec-from-file=',
            'asks interactively what to stash': '-p --patch',
          },
          operands: { rest: 'mention' as const },
        }),
        ...each('pop apply drop clear', {
          fills: true,
          restores: true,
          options: '-q --quiet --index',
        }),
        list: log,
        show,
        branch: { fills: true },
        create: bare,
      },
      fills: true,
      discards: {},
      restores: true,
      commitsNew: NEW_FILES,
      texts: '-m= --message=',
      options: '-k -u -a -q --keep-index --include-untracked --all --quiet --staged',
      reach: {
        [LISTED]: '--pathspec-from-file=',
        'asks interactively what to stash': '-p --patch',
      },
      otherwise: 'is not a known subcommand of git stash',
    },
    reset: {
      fills: true,
      discards: { with: '--hard' },
      operands: { rest: 'mention', hashes: 'beside' },
      options: `
      -q -N --soft --mixed --hard --merge --keep --quiet --no-quiet --refresh --no-refresh
      --intent-to-add --recurse-submodules[=] --no-recurse-submodules`,
      reach: {
        [LISTED]: '--pathspec-from-file=',
        'asks interactively what to reset': '-p --patch',
      },
    },
    ...each('revert cherry-pick', {
      fills: true,
      options: `
      -m= --mainline= -n -x --no-commit --no-edit --continue --skip --quit --abort --ff
      --allow-empty --allow-empty-message --keep-redundant-commits --signoff --cleanup= -X=${STRATEGY}
      --strategy-option=${STRATEGY} --rerere-autoupdate --no-rerere-autoupdate --reference --no-gpg-sign
      --empty=`,
      reach: ask,
    }),
    merge: {
      fills: true,
      operands: { rest: 'text' },
      texts: '-m= --message=',
      options: `${MERGE} --into-name= --cleanup= --overwrite-ignore`,
      reach: ask,
      files: { read: '-F= --file=' },
    },
    rebase: {
      fills: true,
      operands: { rest: 'text' },
      options: `
      --onto= --abort --quit --keep-base --apply --merge -m --no-keep-empty
      --keep-empty --allow-empty-message --rerere-autoupdate --no-rerere-autoupdate -X=${STRATEGY}
      --strategy-option=${STRATEGY} -q -v -n --quiet --verbose --stat --no-stat --no-verify --verify -C=
      --no-ff --force-rebase -f --fork-point --no-fork-point --ignore-whitespace --whitespace=
      --committer-date-is-author-date --ignore-date --reset-author-date --signoff
      --rebase-merges[=] --no-rebase-merges --autosquash --no-autosquash --autostash
      --no-autostash --root --update-refs --no-update-refs --reschedule-failed-exec --empty=
      --reapply-cherry-picks --no-reapply-cherry-picks --no-gpg-sign`,
      reach: {
        // The list of remaining steps may contain commands.
        [RUNS]: `-x= --exec= -i --interactive --edit-todo --continue --skip -s= --strategy= ${SIGN}`,
      },
    },
    fetch: { ...transfer, imports: true },
    pull: {
      fills: true,
      ...transfer,
      imports: true,
      options: `${transfer.options} ${MERGE} -r[=] --rebase[=] --no-rebase`,
      reach: { ...transfer.reach, ...ask },
    },
    push: {
      shallow: true,
      ...transfer,
      // Any other name may be a folder with a repository that has its own hooks and settings.
      plainFirst:
        /^(?:origin|upstream|fork|mine|me|github|gitlab|bitbucket|codeberg|gitea|heroku|backup|mirror|staging|production|deploy|dokku|azure|internal|public|private|main|downstream|contributor)$/,
      options: `
      -o= --push-option= -q -v -n -f -d -u -4 -6 --quiet --verbose --progress --no-progress --dry-run
      --porcelain --all --branches --mirror --delete --tags --follow-tags --no-follow-tags --force
      --force-with-lease[=] --force-if-includes --no-force-if-includes --set-upstream --atomic
      --no-atomic --prune --thin --no-thin --no-verify --verify --ipv4 --ipv6 --no-signed
      --recurse-submodules=check|no`,
      reach: { [RUNS]: '--receive-pack= --exec= --signed[=]', [SETTINGS]: '--repo=' },
      files: { remote: '--repo=' },
      same: ['-f --force --force-with-lease', '-d --delete', '-u --set-upstream'],
    },
    clone: {
      fills: true,
      shallow: true,
      ...transfer,
      options: `
      -q -v -n -s -l -b= -o= -4 -6 -j= --quiet --verbose --progress --no-checkout --bare --mirror
      --branch= --depth= --origin= --single-branch --no-single-branch --no-tags --shallow-since=
      --shallow-exclude= --no-hardlinks --local --filter= --sparse --jobs= --ipv4 --ipv6
      --reject-shallow --no-shallow-submodules --shallow-submodules --no-recurse-submodules`,
      reach: { ...transfer.reach, [WRITES]: '--separate-git-dir=' },
      operands: { first: 'remote', rest: 'mention' },
      clones: true,
    },
    'ls-remote': {
      ...transfer,
      options:
        '-h -t -q --heads --branches --tags --refs --quiet --exit-code --get-url --sort= --symref',
      reach: {
        ...transfer.reach,
        [RUNS]: '--upload-pack= --exec=',
        [SETTINGS]: '-o= --server-option=',
      },
    },
    grep: {
      still: true,
      past: 'operands',
      pastWith: '--cached',
      operands: { first: 'text', unless: '-e=', rest: 'pathspec', folder: [{}] },
      printsNames: { with: '-l --files-with-matches --name-only -L --files-without-match' },
      options: `
      -e= -A= -B= -C= -m= -a -i -v -w -E -G -F -P -n -l -L -z -o -c -q -W -p -h -H -I --text
      --ignore-case --invert-match --word-regexp --extended-regexp --basic-regexp --fixed-strings
      --perl-regexp --line-number --column --files-with-matches --name-only
      --files-without-match --null --only-matching --count --color[=] --no-color --break --heading
      --show-function --function-context --after-context= --before-context= --context=
      --max-count= --max-depth= --threads= --and --or --not --all-match --quiet --cached --full-name
      --recursive --no-recursive --no-textconv`,
      reach: {
        [RUNS]: '-O[=] --open-files-in-pager[=] --ext-grep --textconv',
        'searches outside the repository':
          '--no-index --untracked --no-exclude-standard --exclude-standard --recurse-submodules',
      },
      files: { read: '-f=' },
    },
    clean: { always: 'removes files', same: ['-f --force'] },
    gc: {
      options: '--auto --quiet --aggressive --prune[=] --no-prune --force --keep-largest-pack',
    },
    prune: { options: '-n -v --dry-run --verbose --progress --expire=' },
    'pack-refs': { options: '--all --prune --no-prune' },
    remote: {
      commands: {
        show: { ...transfer, options: '-n' },
        'get-url': { options: '--push --all' },
        prune: { ...plain, operands: { rest: 'remote' } },
        ...each('add set-url', {
          stated: REMOTES,
          open: true,
          options: '-t= -m= -f --tags --no-tags --mirror[=] --push --add --delete',
          operands: { first: 'text', rest: 'remote' },
        }),
      },
      options: '-v --verbose',
      otherwise: REMOTES,
    },
    config: {
      commands: each('get list', {
        still: true,
        reach: { [SETTINGS]: '-f= --file= --blob=' },
        options: `
      --type= --default= --value= --url= --all --regexp --global --local --system --worktree
      --show-origin --show-scope --show-names --name-only -z --null --includes --no-includes --bool
      --int --bool-or-int --path --fixed-value`,
      }),
      reach: {
        'changes the configuration of git':
          '--unset --unset-all --replace-all --add --rename-section --remove-section -e --edit',
        [SETTINGS]: '-f= --file= --blob=',
      },
      options: `
      --get= --get-all= --get-regexp= --get-urlmatch= --get-color= --get-colorbool= --list -l
      --global --local --system --worktree --show-origin --show-scope --name-only -z --null --bool
      --int --bool-or-int --path --type= --default= --includes --no-includes`,
      otherwise: 'changes the configuration of git',
      asksFor: true,
      still: true,
    },
    init: {
      reach: { [SETTINGS]: '--template= --separate-git-dir= --shared[=]' },
      operandsReach: 'creates a repository in another folder',
      options: '-b= --initial-branch= -q --quiet --bare --object-format= --ref-format=',
    },
    worktree: {
      commands: { list: { options: '-v --verbose --porcelain -z' }, prune: plain },
      otherwise: 'writes outside the workspace',
    },
    apply: { always: 'writes the files that a patch names', operands: { rest: 'read' } },
    'format-patch': {
      options: `${DIFF} --stdout -n -N -k -q --numbered --no-numbered --keep-subject --signoff
      --cover-letter --no-cover-letter --subject-prefix= --rfc[=] -v= --reroll-count= --start-number=
      --numbered-files --quiet --no-binary --zero-commit --base= --thread[=] --no-thread
      --in-reply-to= --signature= --no-signature --notes[=] --range-diff= --interdiff= --progress
      --root`,
      operands: { rest: 'pathspec', folder: [{}] },
      reach: {
        [WRITES]: '-o= --output-directory= --output= --suffix=',
        [RUNS]: '--ext-diff --textconv',
      },
      files: { read: '--signature-file= --description-file=' },
    },
    archive: {
      reach: { [WRITES]: '-o= --output=', [RUNS]: '--exec= --remote=' },
      options:
        '--prefix= --format=tar|zip|tar.gz|tgz -l -v --list --verbose --worktree-attributes --mtime=',
      operands: { rest: 'pathspec', folder: [{}] },
      files: { read: '--add-file= --add-virtual-file=', remote: '--remote=' },
    },
    bundle: { always: WRITES },
    'fast-export': { always: WRITES },
    'fast-import': { always: WRITES },
    submodule: {
      commands: {
        status: { options: '--cached --recursive' },
        summary: { options: '--cached --files -n= --summary-limit=' },
        foreach: runs,
        add: {
          stated: RUNS,
          open: true,
          options: '-b= --branch= --name= --reference= --depth= -f --force',
          operands: { first: 'remote', rest: 'mention' },
        },
        'set-url': { stated: RUNS, open: true, operands: { first: 'mention', rest: 'remote' } },
      },
      options: '-q --quiet',
      otherwise: RUNS,
    },
    bisect: {
      commands: {
        ...each('start good bad old new reset log skip terms next', {
          fills: true,
          options: '--no-checkout --first-parent --term-new= --term-old= --term-bad= --term-good=',
        }),
        ...each('run visualize view replay', runs),
      },
      otherwise: RUNS,
    },
    'interpret-trailers': runs,
    ...each('send-pack fetch-pack subtree request-pull', { ...runs, operands: { rest: 'remote' } }),
    'unpack-file': { always: 'writes a file' },
    ...each(
      `
      filter-branch filter-repo difftool mergetool send-email instaweb hook help daemon
      http-backend shell upload-pack receive-pack credential credential-store credential-cache p4
      svn cvsimport web web--browse gui citool gitk maintenance for-each-repo am imap
      imap-send lfs quiltimport merge-index merge-one-file sh-setup remote-ext remote-fd
      replace`,
      runs,
    ),
    'sparse-checkout': {
      commands: { list: bare },
      otherwise: 'changes which files are checked out',
    },
    ...each('update-index update-ref read-tree', writes),
    'checkout-index': { always: WRITES },
    ...each('write-tree commit-tree mktag mktree', {
      always: 'commits content that is not in the working tree',
    }),
  },
}
