import { each, type Program, type Usage } from '../program.ts'

const RUNS = 'runs other code'
const ELSEWHERE = 'uses another project or other settings'
const WRITES = 'writes to another file'
const UNKNOWN = 'is not known to be harmless'

/** The name of a target or task: not a path to another folder, a setting or code. */
const TASK = /^(?!.*\.\.)[\w@+][\w.:@+/-]*$/
const ABOUT = '--version --help -h'

const task: Usage = { operands: { rest: 'text' }, plainOperand: TASK }

/** Programs that run named tasks of the project. Selecting a task is their plain use. */
export const build: readonly Program[] = [
  {
    names: 'make gmake bmake remake',
    obeys: 'folder',
    runsIn: '-C= --directory=',
    // Built-in rules write any file with a source next to it: `package.json` from
    // `package.json.sh`.
    operands: { rest: 'target' },
    // No paths outside the folder and no hidden files.
    plainOperand: /^(?!.*(?:\.\.|\/\.))[\w@%+-][\w.:@%+/-]*$/,
    options: `
      -j[=] -l[=] -k -s -n -B -q -i -w -S --jobs[=] --load-average[=] --keep-going --silent --quiet
      --dry-run --just-print --recon --always-make --question --ignore-errors --print-directory
      --no-print-directory --no-silent --stop --output-sync[=] --warn-undefined-variables
      --trace --no-builtin-rules ${ABOUT}`,
    reach: {
      [ELSEWHERE]: '-f= --file= --makefile= -C= --directory= -I= --include-dir= -m=',
      [RUNS]: '-E= --eval= -V= -X= -x=',
      'may show secrets in environment variables': '-p --print-data-base -v',
      'lets environment variables choose what runs': '-e --environment-overrides',
    },
    operandReach: { 'sets a variable that may choose what runs': /=/ },
  },
  {
    names: 'just',
    obeys: 'folder',
    ...task,
    // `folder/task` belongs to another justfile.
    plainFirst: /^[\w@+][\w.:@+-]*$/,
    options: `-l -n -q -v -u -s= --list --dry-run --quiet --verbose --unsorted --summary --show= --yes --color= --no-color --highlight --groups --variables -V ${ABOUT}`,
    reach: {
      [ELSEWHERE]:
        '-f= --justfile= -d= --working-directory= --dotenv-path= --dotenv-filename= -g --global-justfile',
      [RUNS]:
        '-c= --command= --shell= --shell-arg= --shell-command --chooser= --choose -e --edit --evaluate --set= --init --fmt --dump --tempdir=',
    },
  },
  {
    names: 'task go-task',
    obeys: 'folder',
    ...task,
    // Taskwarrior has the same name. It runs the words after `execute` or an abbreviation, and
    // loads the file after `rc:`.
    operandReach: { [RUNS]: /^(?:ex|rc[.:])/ },
    options: `-l -a -s -v -n -f -p -c -y -w --list --list-all --silent --verbose --dry --force --parallel --color --yes --watch --status --summary --json --sort= -I= --interval= ${ABOUT}`,
    reach: {
      [ELSEWHERE]:
        '-t= --taskfile= -d= --dir= -g --global --download --offline --trusted-hosts= --taskrc=',
      [RUNS]: '-i --init -o= --output= --exit-code',
    },
    passes: '',
  },
  {
    names: 'rake drake',
    obeys: 'folder',
    operands: { rest: 'text' },
    plainOperand: /^[\w:.-]+(?:\[[\w:., -]*\])?$/,
    options: `-n -P -q -s -t -T -D -W -A -m -j= -v --dry-run --prereqs --quiet --silent --trace --tasks --describe --where --all --multitask --jobs= --verbose --rules --no-deprecation-warnings -V ${ABOUT}`,
    reach: {
      [ELSEWHERE]:
        '-f= --rakefile= -I= --libdir= -R= --rakelibdir= -g --system -N --no-search --nosearch',
      [RUNS]: '-e= --execute= -E= --execute-continue= -p= --execute-print= -r= --require=',
    },
  },
  {
    names: 'ninja samu',
    obeys: 'any',
    ...task,
    options: `-j= -k= -l= -n -v --verbose --quiet ${ABOUT}`,
    reach: { [ELSEWHERE]: '-C= -f=', [RUNS]: '-t= -d= -w=' },
  },
  {
    names: 'meson muon',
    obeys: 'any',
    commands: {
      ...each('compile test', {
        operands: { rest: 'text' as const },
        plainOperand: TASK,
        options: `-j= -v -q --verbose --quiet --jobs= --clean --list --no-rebuild --suite= --no-suite= --repeat= --print-errorlogs --num-processes= -t= --timeout-multiplier= --no-stdsplit --maxfail= ${ABOUT}`,
      }),
    },
    options: `-v ${ABOUT}`,
    otherwise: UNKNOWN,
  },
  {
    names: 'cmake',
    obeys: 'folder',
    operands: { rest: 'mention' },
    plainOperand: /^\.$/,
    options: `-N -L -LA -LAH --version --help -h --fresh --log-level= --warn-uninitialized --no-warn-unused-cli -Wdev -Wno-dev`,
    reach: {
      [ELSEWHERE]:
        '-S= -B= -D= -C= -G= -T= -A= --preset= --toolchain= --install-prefix= --build= --install=',
      [RUNS]: '-E= -P= --open= --find-package --debugger --workflow',
      [WRITES]: '--graphviz= --trace-redirect= --profiling-output= --system-information[=]',
    },
  },
  {
    names: 'ctest cpack',
    obeys: 'folder',
    operands: { rest: 'text' },
    plainOperand: /^$/,
    options: `-N -V -VV -Q -j= -j1 -j2 -j4 -j8 -j16 -R= -E= -L= -LE= -F --verbose --extra-verbose --quiet --parallel= --tests-regex= --exclude-regex= --label-regex= --label-exclude= --show-only[=] --print-labels --output-on-failure --stop-on-failure --rerun-failed --progress --repeat= --timeout= --schedule-random --no-tests= ${ABOUT}`,
    files: { read: '-I=' },
    oneDash: true,
  },
  {
    names: 'gradle gradlew',
    obeys: 'folder',
    operands: { rest: 'text' },
    // Excludes built-in tasks that write the project's files, and abbreviations of them.
    plainOperand:
      /^(?!.*\.\.)(?!(?:.*:)?(?:i(?:n(?:it?)?)?|w(?:r(?:a(?:p(?:p(?:er?)?)?)?)?)?)$):?[\w@+][\w.:@+/-]*$/,
    options: `
      -q -w -i -s -S -m -a -t -u --quiet --warn --info --stacktrace --full-stacktrace
      --dry-run --continue --no-continue --parallel --no-parallel --daemon --no-daemon --offline
      --build-cache --no-build-cache --configuration-cache --no-configuration-cache --console=
      --warning-mode= --rerun-tasks --refresh-dependencies --continuous --max-workers= --tests=
      --stop --status --foreground --all -x= --exclude-task= --no-scan --profile ${ABOUT} -v -V`,
    reach: { 'shows the environment': '-d --debug' },
  },
  {
    names: 'mvn mvnw mvnd',
    obeys: 'folder',
    operands: { rest: 'text' },
    // A phase, or a goal of a plugin that only checks, builds or shows. `help:system` would show
    // the environment.
    plainOperand:
      /^(?!(?:site-)?deploy$)[\w-]+$|^(?:surefire|failsafe|compiler|resources|clean|jar|checkstyle|pmd|spotbugs|spotless|jacoco|enforcer):[\w-]+$|^dependency:(?:tree|list|analyze|resolve|go-offline)$|^versions:display-[\w-]+$|^spring-boot:run$|^quarkus:(?:dev|test)$/,
    options: `
      -q -B -o -e -X -U -N -V -C -c -T= -T1 -T2 -T4 -T8 -T1C -Dtest= -DskipTests[=true|false]
      -Dmaven.test.skip=true|false -pl= -am -amd -rf= -fae -fn -ff -ntp -nsu --quiet --batch-mode
      --offline --errors --debug --update-snapshots --non-recursive --threads= --projects=
      --also-make --also-make-dependents --resume-from= --fail-at-end --fail-never --fail-fast
      --no-transfer-progress --show-version --no-snapshot-updates ${ABOUT} -v`,
    oneDash: true,
  },
  {
    names: 'tox nox',
    obeys: 'folder',
    operands: { rest: 'text' },
    plainOperand:
      /^(?:run|r|list|l|p|run-parallel|[\w.,-]*(?:py|lint|test|type|doc|fmt|format|cov)[\w.,-]*)$/,
    options: `-e= -q -v -p -l -r -s= -k= -t= --list --listenvs --listenvs-all --parallel[=] --recreate --skip-missing-interpreters --sessions= --tags= --no-color --reuse-existing-virtualenvs -R ${ABOUT}`,
    passes: '',
  },
  {
    names: 'bazel bazelisk',
    obeys: 'any',
    commands: each('build test query cquery aquery info clean version help fetch coverage', {
      operands: { rest: 'text' as const },
      operandReach: { 'may show secrets in environment variables': /^client-env$/ },
      plainOperand: /^-?(?:@?\/\/|:)?[\w./:@*+=-]*$/,
      options: `-k -j= --keep_going --jobs= --test_output=all|errors|summary|streamed --test_filter= --test_tag_filters= --build_tag_filters= --nocache_test_results --cache_test_results= --runs_per_test= --verbose_failures --show_progress --noshow_progress --curses= --color= --local_test_jobs= --test_timeout= --output=label|package|graph|xml|build|label_kind|minrank|maxrank -c=opt|dbg|fastbuild --compilation_mode=opt|dbg|fastbuild --expunge`,
    }),
    options: '--version --help',
    otherwise: RUNS,
  },
  {
    names: 'nx turbo lerna',
    obeys: 'any',
    operands: { rest: 'text' },
    // The first operand is a task or a subcommand. Those that run any program are not plain.
    plainFirst:
      /^(?:run|build|test|lint|typecheck|type-check|check|format|affected|run-many|ls|list|show|graph|report|info|changed|diff|dev|e2e)$/,
    plainOperand: TASK,
    options: `-t= --target= --targets= -p= --projects= --all --affected --base= --head= --parallel[=] --skip-nx-cache --skip-cache --verbose --no-color --filter= -F= --force --no-cache --concurrency= --continue --dry --dry-run --only --scope= --since= --no-daemon --ignore= --stream --output-logs= --log-order= --json -l -a ${ABOUT}`,
    revisions: '--base= --head= --since=',
    valueReach: { 'passes an option to git': /\[-|\.\.\.?-/ },
    passes: '',
  },
  {
    names: `
      ant sbt buck buck2 pants scons waf xmake lein mix rebar3 stack cabal dune zig msbuild grunt
      gulp jake invoke inv fab doit earthly tilt skaffold mage xcodebuild qmake premake5`,
    obeys: 'any',
    operands: { rest: 'text' },
    plainOperand:
      /^(?:build|test|check|compile|clean|lint|format|fmt|doc|docs|bench|deps\.get|all|default|help|version|list|tasks)$/,
    options: ABOUT,
  },
]
