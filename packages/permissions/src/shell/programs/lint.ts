import { each, type Program, type Usage } from '../program.ts'

const RUNS = 'runs or loads other code'
const WRITES = 'writes to another file'

/** Output options that all of these programs share. */
const COMMON = '--color --no-color --quiet -q --silent --verbose --version --help -h'

/** Without operands, they check the whole folder. */
const FOLDER = [{ unless: '--version -V --help -h --stdin' }]

/** The files that programs for JavaScript check in a folder. */
const SCRIPTS =
  '*.js *.mjs *.cjs *.jsx *.ts *.mts *.cts *.tsx *.vue *.svelte *.astro *.json *.jsonc *.json5 *.md *.markdown *.html *.css'

const eslint: Usage = {
  sources: SCRIPTS,
  writesWith: '--fix',
  operands: { rest: 'read', folder: FOLDER },
  options: `
      ${COMMON} -v --ext= --fix --fix-dry-run --fix-type= --max-warnings= --no-ignore --ignore-pattern=
      --no-inline-config --report-unused-disable-directives
      --report-unused-disable-directives-severity= --report-unused-inline-configs= --cache --no-cache
      --cache-strategy=metadata|content --no-error-on-unmatched-pattern
      --exit-on-fatal-error --no-warn-ignored --pass-on-no-patterns --stats --debug --env-info
      --print-config= --suppress-all --prune-suppressions --no-eslintrc --no-config-lookup
      --env= --global= --concurrency=auto|off|1|2|4 --stdin
      -f=stylish|json|compact|unix|html|json-with-metadata|tap|junit|checkstyle
      --format=stylish|json|compact|unix|html|json-with-metadata|tap|junit|checkstyle`,
  reach: {
    [RUNS]: `
      -c= --config= --plugin= --rulesdir= --resolve-plugins-relative-to= --parser= --parser-options=
      -f= --format= --rule= --ignore-path= --stdin-filename= --flag= --init --inspect-config`,
    [WRITES]: '-o= --output-file= --cache-location= --cache-file= --suppressions-location=',
  },
}

const PYTHON = '*.py *.pyi *.ipynb pyproject.toml ruff.toml .ruff.toml'

const dprint: Usage = {
  operands: { rest: 'pathspec', folder: FOLDER },
  options: `${COMMON} --diff --incremental[=] --allow-no-files --staged --list-different`,
}

const oxc: Usage = {
  operands: { rest: 'read', folder: FOLDER },
  options: `
    ${COMMON} -A= -W= -D= --allow= --warn= --deny= --fix --fix-suggestions --fix-dangerously
    --type-aware --type-check --deny-warnings --max-warnings= --ignore-pattern= --no-ignore
    --threads= --check --list-different --write --no-error-on-unmatched-pattern --rules
    --react-plugin --import-plugin --jest-plugin --vitest-plugin --jsx-a11y-plugin --node-plugin
    --promise-plugin --nextjs-plugin --react-perf-plugin --jsdoc-plugin --disable-nested-config
    --disable-typescript-plugin --disable-unicorn-plugin --disable-oxc-plugin
    --report-unused-disable-directives --print-config -f=default|json|unix|github|stylish
    --format=default|json|unix|github|stylish`,
  reach: { [RUNS]: '-c= --config= --tsconfig= --init --migrate= --lsp --js-plugins=' },
}

/** Programs that check Python code, and YAML. */
const pythonLint: Usage = {
  sources: '*.py *.pyi *.yml *.yaml .yamllint',
  operands: { rest: 'read', folder: FOLDER },
  plainOperand: /^[^@]/,
  // No program has all of these, and some complete abbreviations: `--disable` means
  // `--disable-noqa`, which takes no value.
  options: `
    ${COMMON} --select[=] --ignore[=] --extend-ignore[=] --max-line-length[=] --max-complexity[=]
    --exclude[=] --statistics --count --show-source -j[=] --jobs[=] --disable[=] --enable[=]
    --strict -r`,
  reach: {
    [RUNS]: `
    -c= --config= --rcfile= --load-plugins= --init-hook= --append-config= --enable-extensions= -p=
    --format= -f= --plugins= --tests= -d=`,
    [WRITES]: '-o= --output= --output-file= --tee',
  },
}

/** Programs that check and format code. They change only the given files. */
export const lint: readonly Program[] = [
  { names: 'eslint', obeys: 'folder', ...eslint },
  {
    names: 'prettier',
    obeys: 'folder',
    sources: `
      ${SCRIPTS} *.yml *.yaml *.scss *.less *.graphql *.gql *.hbs *.handlebars *.mdx *.webmanifest
      *.importmap *.code-workspace *.htm *.xhtml *.wxss *.pcss *.postcss .prettierrc .eslintrc
      .babelrc .jscsrc .swcrc .all-contributorsrc .arcconfig .jshintrc .tern-* .lintstagedrc
      .stylelintrc .clang-format .clang-tidy .gemrc CITATION.cff glide.lock composer.lock
      README contents.lr *.cjsx *.es *.es6 *.jsm *.wxs *.avsc *.geojson *.har *.topojson *.yy *.yyp`,
    writesWith: '-w --write',
    // The program prints the matches of its patterns.
    operands: { rest: 'pathspec' },
    options: `
      ${COMMON} -c --check -l --list-different -w --write -u --ignore-unknown --no-config
      --no-editorconfig --with-node-modules --no-plugin-search --cache --cache-strategy=metadata|content
      --no-error-on-unmatched-pattern --log-level= --loglevel= --insert-pragma --require-pragma
      --single-quote --no-single-quote --jsx-single-quote --no-semi --semi --use-tabs --tab-width=
      --print-width= --trailing-comma= --arrow-parens= --bracket-same-line --no-bracket-spacing
      --quote-props= --prose-wrap= --end-of-line= --html-whitespace-sensitivity=
      --embedded-language-formatting= --experimental-ternaries --file-info= --find-config-path=
      --support-info`,
    reach: {
      [RUNS]: '--config= --plugin= --plugin-search-dir= --parser= --config-precedence=',
      [WRITES]: '--cache-location=',
    },
    files: { mention: '--ignore-path= --stdin-filepath=' },
  },
  {
    names: 'biome rome',
    commands: each('check lint format ci', {
      writesWith: '--write --fix --apply --apply-unsafe',
      operands: { rest: 'read' as const, folder: FOLDER },
      options: `
      ${COMMON} --write --fix --unsafe --apply --apply-unsafe --staged --changed --since= --only=
      --skip= --max-diagnostics= --diagnostic-level= --error-on-warnings --no-errors-on-unmatched
      --files-ignore-unknown= --colors= --formatter-enabled= --linter-enabled=
      --organize-imports-enabled= --assist-enabled= --stdin-file-path=
      --reporter=default|json|json-pretty|github|summary|gitlab`,
      revisions: '--since=',
    }),
    options: '--version -V --help -h',
    otherwise: 'is not known to be harmless',
  },
  {
    names: 'oxlint',
    obeys: 'folder',
    writesWith: '--fix --fix-suggestions --fix-dangerously',
    ...oxc,
  },
  { names: 'oxfmt', obeys: 'folder', writesUnless: '--check --list-different', ...oxc },
  {
    names: 'dprint',
    // The program's settings list plugins, which may be programs.
    obeys: 'any',
    commands: { check: dprint, fmt: { ...dprint, writesUnless: '' } },
    options: '--version -V --help -h',
    otherwise: 'installs code from others or changes settings',
  },
  {
    names: 'knip madge depcruise commitlint svelte-check htmlhint',
    obeys: 'any',
    sources: SCRIPTS,
    operands: { rest: 'read', folder: FOLDER },
    options: `
      ${COMMON} --production --strict --no-progress --no-exit-code --max-issues= --include= --exclude=
      --dependencies --exports --files --cache --circular --orphans --leaves --summary --json --fail-on-warnings
      --threshold= --watch`,
    reach: {
      [RUNS]:
        '-c= --config= --tsconfig= -t= --preprocessor= --reporter= --webpack-config= --extends= -x=',
      [WRITES]: '-i= --image= -o= --output= --output-to= --dot',
    },
  },
  {
    names: 'stylelint tslint standard xo jshint markdownlint markdownlint-cli2 remark',
    obeys: 'any',
    sources: `${SCRIPTS} *.scss *.less *.sass`,
    writesWith: '--fix',
    operands: { rest: 'pathspec', folder: FOLDER },
    options: `${COMMON} --fix --max-warnings= --no-error-on-unmatched-pattern --allow-empty-input --json`,
    reach: {
      [RUNS]: `
      -c= --config= --custom-syntax= -f= --formatter= --custom-formatter= --rules= -r= -u= --use=
      --rulesdir= --plugin= --parser= --config-basedir= -s= --reporter=`,
      [WRITES]: '-o= --output-file= --cache-location= --out=',
    },
  },
  {
    names: 'ruff',
    commands: {
      check: {
        sources: PYTHON,
        writesWith: '--fix --fix-only --add-noqa',
        operands: { rest: 'read', folder: FOLDER },
        options: `
      ${COMMON} -v -s -e -w -n --fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes
      --no-show-fixes --diff --watch --fix-only --no-fix-only --ignore-noqa --statistics --add-noqa
      --show-files --show-settings --select= --ignore= --extend-select= --extend-ignore= --fixable=
      --unfixable= --extend-fixable= --per-file-ignores= --extend-per-file-ignores= --exclude=
      --extend-exclude= --respect-gitignore --no-respect-gitignore --force-exclude
      --no-force-exclude --no-cache --exit-zero --exit-non-zero-on-fix --target-version= --preview
      --no-preview --isolated --line-length= --output-format=concise|full|json|json-lines|junit|grouped|github|gitlab|pylint|azure|sarif`,
      },
      format: {
        sources: PYTHON,
        writesUnless: '--check --diff',
        operands: { rest: 'read', folder: FOLDER },
        options: `
      ${COMMON} -v -s -n --check --diff --exclude= --respect-gitignore --no-respect-gitignore
      --force-exclude --no-force-exclude --no-cache --line-length= --target-version= --preview
      --no-preview --isolated --range= --exit-non-zero-on-format`,
      },
      ...each('rule linter version', { options: '--all --output-format=text|json' }),
    },
    options: '--version -V --help -h',
    otherwise: 'is not known to be harmless',
  },
  {
    names: 'black isort',
    writesUnless: '--check --check-only --diff',
    operands: { rest: 'read' },
    options: `
      ${COMMON} -l[=] --line-length[=] -t[=] --target-version[=] --check --diff -S --skip-string-normalization
      -C --skip-magic-trailing-comma --preview --fast --safe -v -c --check-only --profile=black|django|pycharm|google|open_stack|plone|attrs|hug|wemake|appnexus
      --include[=] --exclude[=] --extend-exclude[=] --force-exclude[=] -W[=] --workers[=]`,
    reach: {
      [RUNS]:
        '-c= --code= --config= --sp= --settings-path= --settings-file= --virtual-env= --conda-env=',
    },
  },
  {
    // Words after `--` are options for mypy.
    names: 'dmypy',
    obeys: 'folder',
    sources: PYTHON,
    followsImports: true,
    operands: { rest: 'read' },
    plainFirst: /^(?:run|check|recheck|status|stop)$/,
    plainOperand: /^[^@]/,
    options: '-v --verbose --version -V --help -h',
    passes: '--strict --ignore-missing-imports --pretty --show-error-codes --show-column-numbers',
  },
  {
    names: 'mypy',
    obeys: 'folder',
    sources: PYTHON,
    followsImports: true,
    operands: { rest: 'read' },
    plainOperand: /^[^@]/,
    options: `
      ${COMMON} -v -p= -m= --package= --module= --strict --no-strict-optional --ignore-missing-imports
      --follow-imports= --no-incremental --show-error-codes --hide-error-codes --show-column-numbers
      --show-error-context --show-absolute-path --pretty --no-pretty --no-error-summary
      --namespace-packages --explicit-package-bases --exclude= --disallow-untyped-defs
      --disallow-untyped-calls --disallow-incomplete-defs --check-untyped-defs
      --disallow-any-generics --disallow-subclassing-any --no-implicit-optional
      --warn-unused-ignores --warn-redundant-casts --warn-return-any --warn-unreachable
      --warn-unused-configs --no-warn-no-return --enable-error-code= --disable-error-code=
      --python-version= --platform= --sqlite-cache --skip-cache-mtime-checks -V`,
    reach: {
      [RUNS]: `
      -c= --config-file= --python-executable= --install-types --custom-typing-module=
      --custom-typeshed-dir= --shadow-file= --command= --scripts-are-modules --pdb`,
      [WRITES]: `
      --cache-dir= --junit-xml= --html-report= --any-exprs-report= --txt-report= --xml-report=
      --cobertura-xml-report= --linecount-report= --linecoverage-report= --lineprecision-report=
      --xslt-html-report= --xslt-txt-report= --dump-type-stats --dump-inference-stats`,
    },
  },
  {
    names: 'pyright basedpyright',
    sources: PYTHON,
    followsImports: true,
    operands: { rest: 'read' },
    options: `${COMMON} --outputjson --stats --level= --skipunannotated --warnings --threads[=]`,
    reach: {
      [RUNS]: `
      -p= --project= --pythonpath= --pythonversion= --pythonplatform= -v= --venv-path= --venvpath=
      -t= --typeshedpath= --createstub= --verifytypes= --ignoreexternal -w --watch`,
    },
  },
  {
    names: 'flake8 bandit yamllint pycodestyle pydocstyle pyflakes vulture',
    obeys: 'folder',
    ...pythonLint,
  },
  // An operand may be the name of a module: `a.b`.
  { names: 'pylint', obeys: 'folder', followsImports: true, ...pythonLint },
  {
    names: 'rubocop',
    obeys: 'folder',
    writesWith: '-a -A -x --autocorrect --autocorrect-all --fix-layout',
    operands: { rest: 'read', folder: FOLDER },
    options: `${COMMON} -a -A -x -v -V --autocorrect --autocorrect-all --fix-layout --only= --except= --fail-level= --parallel --no-parallel --display-only-fail-level-offenses --lint -l --cache= -f=progress|simple|clang|json|emacs|quiet|files|offenses --format=progress|simple|clang|json|emacs|quiet|files|offenses`,
    reach: {
      [RUNS]:
        '-c= --config= -r= --require= --plugin= -f= --format= --server --lsp --init --cache-root=',
      [WRITES]: '-o= --out= --auto-gen-config',
    },
  },
  {
    names: 'shellcheck hadolint actionlint',
    operands: { rest: 'read' },
    options: `${COMMON} -a -C[=] -e[=] -i[=] -o[=] -s=sh|bash|dash|ksh|busybox -S[=] -V -W[=] --include[=] --exclude[=] --enable[=] --severity[=] --shell=sh|bash|dash|ksh|busybox --norc --check-sourced --color[=] --wiki-link-count[=] -f=tty|gcc|json|json1|diff|quiet|checkstyle --format=tty|gcc|json|json1|diff|quiet|checkstyle|sarif`,
    reach: {
      [RUNS]:
        '-x --external-sources -P= --source-path= --rcfile= -shellcheck= -pyflakes= -c= --config= -config-file=',
    },
  },
  {
    names: 'gofmt',
    writesWith: '-w',
    operands: { rest: 'read' },
    options: '-d -e -l -s -w',
    reach: { [WRITES]: '-cpuprofile=', 'rewrites code': '-r=' },
    oneDash: true,
  },
  {
    names: 'golangci-lint',
    obeys: 'any',
    commands: each('run linters help version', {
      operands: { rest: 'text' as const },
      plainOperand: /^\.(?:\/[\w./-]*)?$|^[\w-]+$/,
      options: `
      ${COMMON} -v -n -E= -D= -p= -j= --enable= --disable= --enable-all --disable-all --enable-only= --fast
      --fast-only --new --new-from-rev= --timeout= --tests[=] --no-config --issues-exit-code=
      --max-issues-per-linter= --max-same-issues= --build-tags= --concurrency= --presets= --default=
      --show-stats[=] --diff -d --allow-parallel-runners --allow-serial-runners --whole-files`,
      revisions: '--new-from-rev=',
      reach: { 'changes files': '--fix' },
    }),
    options: '--version --help -h -v --verbose --color=',
    otherwise: 'is not known to be harmless',
  },
  {
    names: 'clang-format swiftformat',
    writesUnless: '-n -dry-run',
    operands: { rest: 'read' },
    oneDash: true,
    options:
      '-i -n -Werror -verbose -dry-run -sort-includes -version -help -lines= -offset= -length=',
    operandReach: { 'reads its options from a file': /^@/ },
    reach: { [RUNS]: '-style= -assume-filename= -fallback-style= -files=' },
  },
  {
    names: `
      staticcheck phpstan psalm phpcs checkstyle ktlint swiftlint semgrep tflint vale`,
    obeys: 'any',
    operands: { rest: 'read' },
    // Excludes subcommands that upload, download or install something.
    plainOperand:
      /^(?!(?:ci|login|logout|publish|sync|install[\w-]*|worker|lsp|mcp)$)[\w.][\w./-]*$/,
    options: COMMON,
  },
]
