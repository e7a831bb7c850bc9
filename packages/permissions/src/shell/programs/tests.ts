import { each, type Program, type Usage } from '../program.ts'

const RUNS = 'runs other code'
const WRITES = 'writes to another file'
const ARGUMENTS = { 'reads its options from a file': /^@/ }

/** Reporters that only print, in every runner. Any other name is a file or package to load. */
const REPORTERS = 'dot|spec|list|tap|verbose|default'

const MOCHA_REPORTERS = 'dot|spec|list|tap|min|nyan|landing|progress|doc|json'

/**
 * Options that select tests and control output in the same way in all runners. They are plain after
 * a package manager's `--`, which passes them to an unknown runner.
 */
export const PASSED: string = `
      --run --watch=false --watchAll=false --no-watch --coverage --no-coverage --verbose --silent
      --quiet -q --bail --ci --color --no-color --colors -t= --testNamePattern= --test-name-pattern=
      --grep= -g= -k= --help -h --version --fix --check --noEmit --passWithNoTests --runInBand -i
      --onlyChanged --changed --forceExit --reporter=${REPORTERS}`

/**
 * Programs that run tests, which are the project's own code. Selecting tests is plain; loading or
 * writing other files is not.
 */
export const tests: readonly Program[] = [
  {
    names: 'jest',
    obeys: 'folder',
    operands: { rest: 'read' },
    options: `
      -t= --testNamePattern= --testPathPattern= --testPathPatterns= --testPathIgnorePatterns=
      --runTestsByPath -i --runInBand -w= --maxWorkers= -b --bail[=] --ci[=] --coverage[=]
      --collectCoverage[=] --collectCoverageFrom= --verbose[=] --silent[=] --watch --watchAll[=] --no-watch --no-watchAll -o --onlyChanged
      --onlyFailures --changedSince= --lastCommit --findRelatedTests --listTests --json --no-cache
      --cache[=] --clearCache --detectOpenHandles --forceExit --passWithNoTests --expand -e
      --colors --no-colors --color --no-color --errorOnDeprecated --logHeapUsage --maxConcurrency=
      --noStackTrace --notify[=] --randomize --seed= --shard= --showSeed --showConfig --testTimeout=
      --useStderr --selectProjects= --ignoreProjects= --debug -u --updateSnapshot --version -v
      --help -h`,
    revisions: '--changedSince=',
    // Options with several values take all words up to the next option: `--reporters=default
    // ./x.js`.
    reach: {
      [RUNS]: `
      -c= --config= --globalSetup= --globalTeardown= --setupFiles= --setupFilesAfterEnv=
      --setupTestFrameworkScriptFile= --testRunner= --testEnvironment= --env= --runner= --resolver=
      --transform= --reporters= --coverageReporters= --filter= --preset= --rootDir= --roots= --projects=
      --moduleNameMapper= --modulePaths= --moduleDirectories= --snapshotSerializers= --prettierPath=
      --testResultsProcessor= --testSequencer= --dependencyExtractor= --watchPlugins= --haste=
      --coverageProvider= --globals= --testEnvironmentOptions= --cacheDirectory=`,
      [WRITES]: '--outputFile= --coverageDirectory=',
    },
  },
  {
    names: 'vitest',
    obeys: 'folder',
    ...vitest(),
    plainFirst: /^(?!init$)/,
    commands: each('run watch dev bench list related', vitest()),
  },
  {
    names: 'mocha _mocha',
    obeys: 'folder',
    operands: { rest: 'read' },
    plainFirst: /^(?!init$)/,
    options: `
      -g= --grep= -f= --fgrep= -i --invert -b --bail -A --async-only -c --color --no-color -C
      --no-colors --check-leaks --delay --dry-run --exit --fail-zero --forbid-only
      --forbid-pending --full-trace -j= --jobs= -p --parallel --retries= -s= --slow= -t= --timeout=
      -u=bdd|tdd|qunit|exports --ui=bdd|tdd|qunit|exports -d --diff --no-diff --inline-diffs
      -R=${MOCHA_REPORTERS} --reporter=${MOCHA_REPORTERS} -S --sort --recursive --ignore= --exclude= --extension=
      --watch -w --list-reporters --list-interfaces --no-config --no-package --no-opts --version -V
      --help -h`,
    reach: {
      [RUNS]: `
      -r= --require= --import= --file= --config= --package= --opts= --reporter= -R= -u= --ui= -n=
      --node-option= --loader= --experimental-loader= --inspect[=] --inspect-brk[=] --spec=`,
      [WRITES]: '-O= --reporter-option= --reporter-options=',
    },
  },
  {
    names: 'ava',
    obeys: 'folder',
    operands: { rest: 'read' },
    options: `
      -m= --match= -c= --concurrency= -T= --timeout= -v --verbose -s --serial -t --tap -u
      --update-snapshots -w --watch --fail-fast --no-cache --color --no-color --version --help`,
    reach: { [RUNS]: '--config= --node-arguments= debug' },
    plainFirst: /^(?!debug$)/,
  },
  {
    names: 'jasmine tap qunit uvu wtr',
    obeys: 'any',
    operands: { rest: 'read' },
    options: '--no-color --color --verbose --bail --timeout= --version --help',
    // Files and folders. `jasmine init` and `tap plugin add x` are subcommands that write.
    plainOperand: /^[\w./@-]+\.[cm]?[jt]sx?$|^(?:tests?|specs?|__tests__|src|\.)(?:\/[\w./@-]*)?$/,
    reach: {
      [RUNS]:
        '-c= --config= --helper= --reporter= -R= -r= --require= --import= --loader= --filter=',
    },
  },
  {
    names: 'playwright cypress',
    obeys: 'folder',
    commands: {
      test: {
        operands: { rest: 'read' },
        options: `
      -g= --grep= --grep-invert= -j= --workers= --headed --project= --timeout= --retries=
      --repeat-each= --max-failures= -x --forbid-only --fully-parallel --last-failed
      --list --no-deps --pass-with-no-tests --quiet --shard= -u --update-snapshots[=] --debug
      --reporter=list|line|dot|github|json|null --trace=on|off|on-first-retry|retain-on-failure
      --only-changed[=] --help`,
        revisions: '--only-changed[=]',
      },
      run: {
        operands: { rest: 'read' },
        options: `
      -b=chrome|chromium|edge|electron|firefox --browser=chrome|chromium|edge|electron|firefox
      --component --e2e --headed --headless -q --quiet --spec= -s= --reporter=spec|dot|min|list
      --no-exit --help`,
      },
      version: { options: '' },
      verify: { options: '' },
    },
    options: '--version -v --help',
    otherwise: 'installs, opens or records something',
  },
  {
    names:
      'karma testcafe nightwatch codecept k6 artillery locust robot behave cucumber cucumber-js',
    always: 'loads code that its arguments name',
  },
  {
    names: 'pytest py.test',
    obeys: 'folder',
    operands: { rest: 'read' },
    operandReach: ARGUMENTS,
    // The program runs any given file, even text with embedded examples. In folders it searches for
    // tests.
    plainOperand:
      /^(?:[\w.@-]+\/)*(?:(?:test_[\w-]*|[\w-]+_test)\.py(?:::.+)?|[\w-]+\/?|\.{1,2}\/?)$/,
    options: `
      -x -q -v -s -l -h -V -k= -m=
      -r=a|A|f|E|s|x|X|p|P|w|N|fE|Ef|fEs|fs|sx|xs|xX|sxX|fEsxX|fExX|fEX|fEw -n=auto|logical|0|1|2|3|4|5|6|7|8|10|12|16
      --exitfirst --maxfail= --quiet --verbose --verbosity= --capture=no|fd|sys|tee-sys --show-capture=
      --showlocals --no-showlocals --tb= --lf --last-failed --ff --failed-first --nf --new-first
      --sw --stepwise --sw-skip --stepwise-skip --lfnf= --last-failed-no-failures= --cache-show[=]
      --collect-only --co --deselect= --ignore= --ignore-glob= --durations= --durations-min=
      --no-header --no-summary --color= --code-highlight= --strict-markers --strict-config --strict
      --runxfail --setup-show --setup-only --setup-plan --fixtures --fixtures-per-test --markers
      --disable-warnings --disable-pytest-warnings
      --doctest-continue-on-failure --doctest-ignore-import-errors --import-mode= --keep-duplicates
      --continue-on-collection-errors --log-level= --log-cli-level= --full-trace --xfail-tb
      --cov[=] --no-cov --cov-branch --cov-append --cov-fail-under= --cov-context=test
      --cov-report=term|term-missing|term:skip-covered|term-missing:skip-covered
      --asyncio-mode=auto|strict --timeout= --reruns= --reruns-delay= --forked --reuse-db
      --create-db --snapshot-update --benchmark-skip --benchmark-only --benchmark-disable
      --randomly-seed= --version --help`,
    reach: {
      [RUNS]: `
      -c= --config-file= -p= -o= --override-ini= --rootdir= --confcutdir= --pdb --pdbcls= --trace
      --tx= -d --dist= --rsyncdir= --cov-config= --ds= --dc= --pyargs --noconftest --pythonwarnings=
      -W= --django-settings-module= --doctest-modules --doctest-glob=`,
      [WRITES]: `
      --junitxml= --junit-xml= --basetemp= --report-log= --result-log= --resultlog= --log-file=
      --debug[=] --cache-clear --html= --json-report-file= --cov-report= --benchmark-json=
      --benchmark-save= --benchmark-storage=`,
      'sends its output elsewhere': '--pastebin= --tx=',
    },
  },
  {
    names: 'unittest',
    obeys: 'folder',
    operands: { rest: 'read' },
    options: '-v -q -f -c -b -k= --verbose --quiet --failfast --catch --buffer --locals --help -h',
    plainFirst: /^(?!discover$)/,
  },
  {
    names: 'nose2',
    obeys: 'any',
    operands: { rest: 'read' },
    options: '-v -q -F -B --verbose --quiet --help',
  },
  {
    names: 'rspec',
    obeys: 'folder',
    operands: { rest: 'read' },
    // The program runs any given file.
    plainOperand: /^(?:[\w.@-]+\/)*[\w.@-]+_spec\.rb(?::\d+)*$|^spec(?:\/[\w-]+)*\/?$/,
    options: `
      -b --backtrace -c --color --force-color --no-color --no-profile -p --profile -w --warnings
      --fail-fast[=] --no-fail-fast --next-failure --only-failures --order= --seed= --bisect[=]
      --dry-run -e= --example= -t= --tag= --exclude-pattern=
      -f=p|d|progress|documentation|json --format=p|d|progress|documentation|json --version --help`,
    reach: {
      [RUNS]:
        '-I= -r= --require= -O= --options= --init --drb --drb-port= -f= --format= --default-path= -P= --pattern=',
      [WRITES]: '-o= --out= --deprecation-out=',
    },
  },
  {
    names: 'phpunit',
    obeys: 'folder',
    operands: { rest: 'read' },
    options: `
      --filter= --group= --exclude-group= --testsuite= --exclude-testsuite= --list-tests
      --list-groups --list-suites --stop-on-failure --stop-on-error --stop-on-defect --testdox
      --colors[=] --no-coverage --no-logging --no-output --no-progress --no-results --debug
      --order-by= --random-order-seed= --fail-on-warning --fail-on-risky --display-warnings
      --display-deprecations --display-errors --display-skipped --display-incomplete --version
      --help -h`,
    reach: {
      [RUNS]: `
      -c= --configuration= --bootstrap= --extension= --include-path= --prepend= -d= --printer=
      --no-configuration`,
    },
  },
  {
    names: 'bats',
    obeys: 'folder',
    operands: { rest: 'read' },
    options: `
      -c -f= -p -r -t -T -x -j= --count --filter= --filter-status= --filter-tags= --pretty --tap
      --recursive --timing --trace --verbose-run --jobs= --no-parallelize-across-files
      --no-parallelize-within-files --no-tempdir-cleanup --print-output-on-failure
      --show-output-of-passing-tests --formatter=pretty|tap|tap13|junit -F=pretty|tap|tap13|junit
      --version -v --help -h`,
    reach: {
      [RUNS]: '-F= --formatter= --report-formatter= --setup-suite-file= --code-quote-style=',
      [WRITES]: '-o= --output= --gather-test-outputs-in= --tempdir=',
    },
  },
  {
    names: 'gotestsum ginkgo',
    obeys: 'folder',
    operands: { rest: 'text' },
    plainOperand: /^\.\/[\w./-]*$|^\.$/,
    options: `
      -f=dots|pkgname|testname|testdox|standard-quiet|standard-verbose
      --format=dots|pkgname|testname|testdox|standard-quiet|standard-verbose --hide-summary=
      --no-color --no-summary= --max-fails= --rerun-fails[=] -r -v -p -race --race --version --help`,
    passes: '-race -v -short -run= -count= -timeout= -failfast -parallel= -tags= -cover',
  },
  {
    // These programs run the command in their operands.
    names: 'c8 nyc istanbul',
    operandsReach: 'runs the command that follows',
    early: true,
    wrapper: { nameable: true },
    options: '--all --check-coverage --silent --version --help --lines= --branches= --functions=',
    reach: {
      [RUNS]: '--require= -i= --config= --nycrc-path= --cwd= --reporter= -r=',
      [WRITES]: '-o= --report-dir= --reports-dir= --temp-dir= --temp-directory=',
    },
  },
  {
    names: 'coverage coverage3',
    commands: {
      report: {
        operands: { rest: 'read' },
        options: `
      -m --show-missing --skip-covered --skip-empty --precision= --sort= --fail-under= --include=
      --omit= -i --ignore-errors --format=text|markdown|total --contexts=`,
      },
      ...each('erase combine', { options: '-a --append --keep -q --quiet' }),
      debug: { always: 'may show secrets in environment variables' },
      html: { options: '-i -q --quiet --skip-covered --skip-empty --precision= --title=' },
      version: { options: '' },
      help: { options: '' },
    },
    options: '--version --help -h',
    otherwise: RUNS,
  },
]

function vitest(): Usage {
  return {
    operands: { rest: 'read' },
    options: `
      -t= --testNamePattern= --run -w --watch[=] --no-watch --ui=false --bail= --retry= --shard=
      --silent[=] --hideSkippedTests --passWithNoTests[=] --allowOnly[=] --dangerouslyIgnoreUnhandledErrors
      --logHeapUsage --coverage --coverage.enabled[=] --no-coverage --coverage.reporter=text|text-summary
      --coverage.include= --coverage.exclude= --coverage.all[=] --isolate[=] --no-isolate --globals[=]
      --dom --environment=node|jsdom|happy-dom|edge-runtime --pool=threads|forks|vmThreads|vmForks
      --fileParallelism[=] --no-file-parallelism --maxWorkers= --minWorkers= --maxConcurrency=
      --testTimeout= --hookTimeout= --teardownTimeout= --sequence.shuffle[=] --sequence.seed=
      --changed[=] --project= --exclude= --expandSnapshotDiff --disableConsoleIntercept --printConsoleTrace
      --no-color --color --clearScreen[=] --no-clearScreen --slowTestThreshold= -u --update
      --typecheck --typecheck.enabled[=] --typecheck.only[=] --browser.headless[=] --mode=
      --reporter=dot|verbose|default|basic|minimal|tap|tap-flat|hanging-process|github-actions|json|junit|tree
      --filesOnly --staticParse --standalone -v --version -h --help`,
    revisions: '--changed[=]',
    reach: {
      [RUNS]: `
      -c= --config= -r= --root= --dir= --reporter= --environment= --globalSetup= --setupFiles= --runner=
      --diff= --snapshotSerializers= --typecheck.checker= --typecheck.tsconfig=
      --coverage.provider= --coverage.customProviderModule= --coverage.reporter= --execArgv=
      --poolOptions= --vmMemoryLimit= --inspect[=] --inspectBrk[=] --inspect-brk[=] --api[=]
      --browser= --ui --open --workspace= --projects= --css= --deps= --server= --env=
      --poolMatchGlobs= --alias= --sequence.sequencer=`,
      [WRITES]:
        '--outputFile= --json[=] --coverage.reportsDirectory= --coverage.processingConcurrency= --cache= --mergeReports[=] --attachmentsDir=',
    },
  }
}
