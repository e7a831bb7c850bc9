import { each, type Program, type Usage } from '../program.ts'

const RUNS = 'runs other code'
const WRITES = 'writes to a file of its choice'
const LISTED = 'reads the names of files from another file'

const log: Usage = {
  values: `
      -n= --max-count= --since= --until= --after= --before= --author= --committer= --grep= -S=
      -G= --format= --pretty= -U= --unified=`,
  reach: {
    [WRITES]: '--output=',
    [RUNS]: '--ext-diff --textconv --help',
    'reads files outside of git': '--no-index',
  },
  files: { mention: '-L=' },
  operandReach: { 'may read files outside of git': /^[/~]|(?:^|\/)\.\.(?:\/|$)/ },
}
const plain: Usage = {}
const transfer: Usage = {
  reach: {
    [RUNS]: '--upload-pack= --receive-pack= --exec= -u=',
    'loads other settings': '-c= --config= --template=',
  },
}
const writes: Usage = { always: 'changes how git works from now on' }
const runs: Usage = { always: RUNS }

export const git: Program = {
  names: 'git',
  obeysFolder: true,
  // Only the first is read here: each command below has its own options.
  values: '--namespace= --attr-source= --list-cmds=',
  fine: `
      --no-pager -P --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice
      --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs`,
  reach: {
    'loads other settings': '-c= --config-env= --git-dir= --work-tree= -C= --super-prefix= --bare',
    [RUNS]: '--exec-path= -p --paginate --help',
  },
  operandReach: { 'runs a program to reach the other side': /^[\w.+-]+::|:\/\/-/ },
  otherwise: 'is no command of git that is known: it may be an alias',
  commands: {
    ...each(
      `
      status branch tag rev-parse rev-list ls-files ls-tree shortlog describe name-rev
      merge-base count-objects show-ref show-branch for-each-ref cherry check-ignore
      check-attr check-ref-format diff-files diff-index diff-tree cat-file hash-object
      verify-commit verify-tag version whatchanged range-diff blame annotate symbolic-ref fsck
      notes stripspace column get-tar-commit-id patch-id interpret-trailers mailmap
      check-mailmap unpack-file verify-pack reflog`,
      log,
    ),
    log,
    show: log,
    diff: log,
    var: { always: 'shows the environment' },
    bugreport: { always: 'shows the environment' },
    blame: { ...log, files: { read: '--contents= -S= --ignore-revs-file=', mention: '-L=' } },
    annotate: { ...log, files: { read: '--contents= -S= --ignore-revs-file=', mention: '-L=' } },
    'cat-file': { reach: { [RUNS]: '--textconv --filters' } },
    'hash-object': {
      operands: { rest: 'read' },
      reach: { [RUNS]: '--path=', [LISTED]: '--stdin-paths' },
      values: '-t=',
    },
    'interpret-trailers': {
      ...log,
      operands: { rest: 'read' },
      values: '--trailer= --where= --if-exists= --if-missing=',
    },
    notes: {
      ...log,
      texts: '-m= --message=',
      files: { read: '-F= --file=' },
      values: '-c= -C= --ref=',
    },
    'symbolic-ref': plain,
    reflog: plain,
    tag: {
      texts: '-m= --message=',
      files: { read: '-F= --file=' },
      values: '-n',
      reach: { [RUNS]: '-e --edit -s --sign -u= --local-user=' },
    },
    add: {
      reach: {
        'starts an editor': '-e --edit',
        [LISTED]: '--pathspec-from-file=',
      },
    },
    rm: {
      removes: true,
      operands: { rest: 'write' },
      implied: true,
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    mv: { operands: { rest: 'write' }, implied: true },
    restore: {
      operands: { rest: 'write' },
      implied: true,
      values: '-s= --source=',
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    checkout: {
      operands: { rest: 'write' },
      implied: true,
      values: '-b= -B= --orphan=',
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    switch: { operands: { rest: 'text' }, values: '-c= -C= --create= --force-create= --orphan=' },
    commit: {
      operands: { rest: 'mention' },
      texts: '-m= --message=',
      values: '--author= --date= --trailer= --fixup= --squash=',
      files: { read: '-F= --file=' },
      fine: '--allow-empty',
      reach: {
        [RUNS]: '-e --edit -c= --reedit-message= -t= --template= -S --gpg-sign',
        [LISTED]: '--pathspec-from-file=',
      },
    },
    stash: {
      operands: { rest: 'mention' },
      texts: '-m= --message=',
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    reset: {
      operands: { rest: 'mention' },
      reach: { [LISTED]: '--pathspec-from-file=' },
    },
    revert: {
      values: '-m= --mainline=',
      reach: { [RUNS]: '-e --edit -s= --strategy= -S --gpg-sign' },
    },
    'cherry-pick': {
      values: '-m= --mainline=',
      reach: { [RUNS]: '-e --edit --strategy= -S --gpg-sign' },
    },
    merge: {
      operands: { rest: 'text' },
      texts: '-m= --message=',
      reach: { [RUNS]: '-e --edit -s= --strategy= -S --gpg-sign' },
      files: { read: '-F= --file=' },
    },
    rebase: {
      operands: { rest: 'text' },
      values: '--onto=',
      reach: { [RUNS]: '-x= --exec= -i --interactive --edit-todo -s= --strategy= -S --gpg-sign' },
    },
    fetch: transfer,
    pull: {
      ...transfer,
      reach: {
        ...transfer.reach,
        'runs a program to merge': '-s= --strategy= -e --edit -S --gpg-sign',
      },
    },
    push: {
      ...transfer,
      reach: { [RUNS]: '--receive-pack= --exec=' },
      values: '-o= --push-option=',
      same: ['-f --force --force-with-lease', '-d --delete', '-u --set-upstream'],
    },
    clone: {
      ...transfer,
      reach: { ...transfer.reach, [WRITES]: '--separate-git-dir=' },
      values: '-b= --branch= --depth= -o= --origin=',
      operands: { rest: 'mention', last: 'write' },
      implied: true,
    },
    'ls-remote': transfer,
    grep: {
      operands: { first: 'text', unless: '-e=', rest: 'mention' },
      values: '-e= -A= -B= -C= -m=',
      reach: {
        [RUNS]: '-O --open-files-in-pager --ext-grep --textconv',
        'searches outside of git': '--no-index',
      },
      files: { read: '-f=' },
    },
    clean: { always: 'removes files', same: ['-f --force'] },
    gc: plain,
    prune: plain,
    'pack-refs': plain,
    remote: {
      commands: { show: transfer, 'get-url': plain, prune: plain },
      fine: '-v --verbose',
      otherwise: 'changes where git sends and fetches',
    },
    config: {
      commands: each('get list', {
        reach: { 'loads other settings': '-f= --file= --blob=' },
        values: '--type= --default= --value= --url=',
      }),
      reach: {
        'changes how git works from now on':
          '--unset --unset-all --replace-all --add --rename-section --remove-section -e --edit',
        'loads other settings': '-f= --file= --blob=',
      },
      fine: '--get --get-all --list -l --global --local --system --show-origin --show-scope',
      values: '--get= --get-all= --get-regexp=',
      otherwise: 'changes how git works from now on',
    },
    init: {
      reach: { 'loads other settings': '--template= --separate-git-dir= --shared=' },
      operandsReach: 'makes a repository elsewhere',
      values: '-b= --initial-branch=',
    },
    worktree: {
      commands: { list: plain, prune: plain },
      otherwise: 'writes outside of the workspace',
    },
    apply: {
      reach: {
        [WRITES]: '--unsafe-paths --build-fake-ancestor=',
        'writes elsewhere': '--directory=',
      },
      operands: { rest: 'read' },
    },
    'format-patch': {
      reach: { [WRITES]: '-o= --output-directory= --output=', [RUNS]: '--ext-diff --textconv' },
      values: '-n=',
      fine: '--stdout',
      files: { read: '--signature-file= --description-file=' },
    },
    archive: {
      reach: { [WRITES]: '-o= --output=', [RUNS]: '--exec= --remote=' },
      values: '--prefix= --format=',
      files: { read: '--add-file=' },
    },
    bundle: { always: WRITES },
    'fast-export': { always: WRITES },
    'fast-import': { always: WRITES },
    submodule: {
      commands: { status: plain, summary: plain, foreach: runs },
      fine: '-q --quiet',
      otherwise: RUNS,
    },
    bisect: {
      commands: {
        start: plain,
        good: plain,
        bad: plain,
        old: plain,
        new: plain,
        reset: plain,
        log: plain,
        skip: plain,
        terms: plain,
        run: runs,
        visualize: runs,
        view: runs,
        replay: runs,
        next: plain,
      },
      otherwise: RUNS,
    },
    'filter-branch': runs,
    'filter-repo': runs,
    difftool: runs,
    mergetool: runs,
    'send-email': runs,
    instaweb: runs,
    hook: runs,
    help: runs,
    daemon: runs,
    'http-backend': runs,
    shell: runs,
    'upload-pack': runs,
    'receive-pack': runs,
    credential: runs,
    'credential-store': runs,
    'credential-cache': runs,
    p4: runs,
    svn: runs,
    cvsimport: runs,
    web: runs,
    'web--browse': runs,
    gui: runs,
    citool: runs,
    gitk: runs,
    maintenance: runs,
    'for-each-repo': runs,
    am: runs,
    'request-pull': runs,
    imap: runs,
    'imap-send': runs,
    lfs: runs,
    subtree: runs,
    quiltimport: runs,
    'merge-index': runs,
    'merge-one-file': runs,
    'sh-setup': runs,
    'remote-ext': runs,
    'remote-fd': runs,
    replace: runs,
    'sparse-checkout': plain,
    'update-index': writes,
    'update-ref': writes,
    'checkout-index': { always: WRITES },
    'read-tree': writes,
    'write-tree': plain,
    'commit-tree': { texts: '-m=', values: '-p=', files: { read: '-F=' } },
    mktag: plain,
    mktree: plain,
  },
}
