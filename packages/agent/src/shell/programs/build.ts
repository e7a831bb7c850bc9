import { each, type Program } from '../program.ts'

const RUNS = 'runs other code'
const ELSEWHERE = 'works on another project, or by other settings'
const WRITES = 'writes to a file of its choice'
const LOADS = 'may load the file it names'

/** Programs that build, check and test a project: what the project says is their plain use. */
export const build: readonly Program[] = [
  {
    names: 'make gmake bmake remake',
    obeysFolder: true,
    operands: { rest: 'text' },
    values: '-j -l -o= -W= --jobs --old-file= --new-file=',
    reach: {
      [ELSEWHERE]: '-f= --file= --makefile= -C= --directory= -I= --include-dir=',
      [RUNS]: '-E= --eval=',
    },
    operandReach: { 'sets a variable that says what is run': /=/ },
  },
  {
    names: `
      just task rake ninja meson cmake ctest gradle gradlew mvn mvnw ant sbt bazel bazelisk
      buck buck2 pants scons waf xmake lein mix rebar3 stack cabal dune zig msbuild nx turbo
      lerna grunt gulp jake invoke inv fab tox nox doit earthly tilt skaffold mage
      xcodebuild qmake premake5`,
    obeysFolder: true,
    operands: { rest: 'text' },
    reach: {
      [ELSEWHERE]: `
      -f= --file= -C= --directory= -d= -t= --taskfile= --justfile= -p= -b= -S= -B= -P= -I= -r=
      -s= --settings= -D= -g= -R= --gradle-user-home= --project-dir= --include-build= --bazelrc=
      --override_repository= --override_module= --gruntfile= --gulpfile= --jakefile= --rakefile=
      --buildfile= --base= --tasks= --rakelibdir= --jakelibdir= --build= --install= --preset=
      --toolchain= --native-file= --cross-file= --dotenv-path= --taskrc= --project-cache-dir=
      --global-settings= -gs= --toolchains=`,
      [RUNS]: `
      -e= -E= -c= --command= --shell= --init-script= --run_under= --action_env= --build-file=
      -x= --chooser= --workspace_status_command= --host_jvm_args= --server_javabase= --edit
      --build-and-test= --shell-command= --libdir= --jvm-args=`,
    },
    operandReach: {
      'sets a variable that says what is run': /=/,
      [RUNS]: /^;?\s*(?:exec|run|--|shell|console|eval|do|cmd|set|set\w+)(?:\s|$)/,
      'runs code from elsewhere': /:.*:/,
    },
  },
  {
    names: 'go',
    oneDash: true,
    operands: { rest: 'mention' },
    reach: { [ELSEWHERE]: '-C=' },
    commands: {
      ...each('build test vet list install fix bug', {
        oneDash: true,
        operands: { rest: 'mention' as const },
        values: `
      -run= -count= -timeout= -bench= -p= -tags= -cpu= -parallel= -skip= -fuzz= -fuzztime=
      -benchtime= -f= -covermode= -coverpkg= -shuffle=`,
        operandReach: { 'brings code from elsewhere': /@/ },
        reach: {
          [RUNS]: `
      -exec= -toolexec= -vettool= -ldflags= -gcflags= -asmflags= -gccgoflags= -compiler=
      -pkgdir=`,
          [ELSEWHERE]: '-C= -modfile= -overlay= -mod= -pgo=',
          [WRITES]: `
      -o= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace=
      -outputdir= -test.coverprofile= -test.cpuprofile= -test.memprofile= -test.blockprofile=
      -test.mutexprofile= -test.trace= -test.outputdir= -test.testlogfile= -test.gocoverdir=`,
        },
      }),
      run: {
        oneDash: true,
        operands: { first: 'read', rest: 'mention' },
        reach: { [RUNS]: '-exec= -toolexec= -ldflags=', [ELSEWHERE]: '-C= -modfile= -overlay=' },
        operandReach: { 'runs code from elsewhere': /@|^\/|^\.\.|^[a-z0-9-]+\.[a-z]+\// },
      },
      fmt: { operands: { rest: 'mention' } },
      doc: { operands: { rest: 'text' } },
      version: {},
      help: {},
      clean: { operands: { rest: 'text' } },
      mod: {
        commands: { tidy: {}, download: {}, graph: {}, verify: {}, why: {} },
        otherwise: 'changes the project',
      },
      env: { oneDash: true, reach: { 'changes how go works from now on': '-w -u' } },
    },
    otherwise: RUNS,
  },
  {
    names: 'cargo',
    obeysFolder: true,
    operands: { rest: 'text' },
    reach: { [ELSEWHERE]: '--config= -C= -Z= --manifest-path=' },
    values: '--color=',
    fine: '-q --quiet -v --verbose --locked --offline --frozen',
    commands: each(
      `
      check build test clippy fmt doc bench run tree metadata clean update fetch
      verify-project version search c b t r nextest`,
      {
        operands: { rest: 'text' as const },
        values: `
      -p= --package= -j= --jobs= --features= -F= --target= --message-format= --test= --bin=
      --example= --profile= --exclude=`,
        fine: `
      --all-targets --all-features --no-default-features --workspace --all --release --lib
      --bins --tests --examples --benches --doc --no-run --no-fail-fast --no-deps --locked
      --offline --frozen -q --quiet -v --verbose -r --check`,
        reach: {
          [ELSEWHERE]: '--config= --manifest-path= -Z= -C= --target-dir= --lockfile-path=',
          [WRITES]: '--out-dir= --artifact-dir=',
          'changes files': '--fix',
        },
      },
    ),
    otherwise: RUNS,
  },
  {
    // Its options have one dash or two, in any case.
    names: 'tsc tsgo vue-tsc',
    oneDash: true,
    operands: { rest: 'mention' },
    values: '-p= -project= -target= -t= -module= -m= -lib= -jsx= -moduleResolution=',
    operandReach: { 'reads its options from a file': /^@/ },
    reach: {
      [WRITES]: `
      -outDir= -outFile= -out= -o= -declarationDir= -tsBuildInfoFile= -generateTrace=
      -generateCpuProfile= -pprofDir=`,
      [ELSEWHERE]: '-locale= -plugins= -baseUrl= -rootDirs= -typeRoots=',
    },
  },
  {
    names: 'swc esbuild rollup rolldown webpack vite parcel babel tsup',
    operands: { rest: 'mention' },
    values: '--target= --format= --platform= --mode= --port= --host= --log-level=',
    fine: '--bundle --minify --sourcemap --watch -w --splitting --analyze --silent',
    loads: LOADS,
    reach: {
      [RUNS]: `
      -c= --config= --plugins= --plugin= -p= -r= --require= --presets= --onSuccess= --watch.onStart=
      --watch.onEnd= --watch.onBundleStart= --watch.onBundleEnd= --watch.onError= --configPlugin=
      --root-mode= --env-name= --inject= --inject: --footer: --banner:`,
      [WRITES]: `
      --outDir= --outFile= --out= -o= -d= --dir= --file= --metafile= --mangle-cache= --output-path=
      --output-filename= --dist-dir= --cache-dir= --outbase= --profile= --json=`,
    },
  },
  {
    names: `
      eslint prettier biome oxlint oxfmt stylelint tslint standard xo jshint markdownlint
      remark dprint knip madge depcruise commitlint htmlhint svelte-check rome rubocop flake8
      pylint ruff black isort mypy pyright bandit yamllint shellcheck hadolint golangci-lint
      staticcheck phpstan psalm phpcs checkstyle ktlint swiftlint clang-tidy cppcheck gofmt
      rustfmt clang-format actionlint semgrep ansible-lint tflint vale`,
    operands: { rest: 'mention' },
    loads: LOADS,
    values: '--ext= --max-warnings= --ignore-pattern= --select= --extend-select= --line-length=',
    fine: `
      --fix --fix-dry-run --check --quiet --write --cache --no-cache --color --no-color --list-different
      -l -w -s --strict --diff --no-eslintrc --stdin --ignore-missing-imports --no-error-on-unmatched-pattern
      --type-aware --deny-warnings --show-source --verbose -v -q -i --staged --changed --debug`,
    reach: {
      [RUNS]: `
      -c= --config= --plugin= --plugins= --rulesdir= --resolve-plugins-relative-to= -r=
      --require= --load-plugins= --init-hook= --parser= -f= --formatter= --rcfile=
      --rule-path= --rules-dir= --custom-syntax= --config-file= --enable-plugin=
      --python-executable= -p= --pythonpath= --stdin-filepath= -cpp= --dump= --rule=
      --custom-formatter= --preprocessor= --webpack-config= --babel-config= --extends=
      -x= --parser-preset= --use= -u= --append-config= --install-types --autoload-file= -a=
      --bootstrap= --standard= --addon= --clang= --shellcheck= --pyflakes= --js-plugins= --ini=
      --settings-path= --settings-file= --formatters-dir= --rule-file= --validate= --tsconfig=`,
      [WRITES]: `
      -o= --output-file= -O= --output= --cache-location= --report-file= --junit-xml=
      --html-report= --any-exprs-report= --output-to= --image= --txt-report= --xml-report=
      --cobertura-xml-report= --linecount-report= --linecoverage-report= --lineprecision-report=
      --xslt-html-report= --xslt-txt-report= --export-fixes= --plist-output= --cppcheck-build-dir=
      --cache-dir= --cache-file=`,
    },
  },
  {
    names: `
      vitest jest mocha ava tap jasmine karma cypress playwright pytest py.test nose2 rspec
      phpunit bats nyc c8 wtr qunit uvu testcafe nightwatch codecept behave cucumber
      robot ginkgo gotestsum coverage locust k6 artillery nextest`,
    operands: { rest: 'mention' },
    valueReach: { [WRITES]: /^(?:html|xml|json|lcov|annotate):/ },
    reach: {
      [RUNS]: `
      -c= --config= -r= --require= --import= --loader= -p= --globalSetup= --setupFiles=
      --setupFilesAfterEnv= --testRunner= --testEnvironment= --runner= --resolver=
      --transform= --reporter-path= --environment= --execArgv= --poolOptions= --override-ini=
      -o= --rootdir= --root= --confcutdir= --spec-runner= --bootstrap= --configuration= --pdb
      --pdbcls= --trace -I= --watchPlugins= --dir= --projects=`,
      [WRITES]: `
      --outputFile= --junitxml= --junit-xml= --coverageDirectory= --basetemp= --log-junit=
      --cache-clear --report-log= --result-log= --log-file=`,
    },
  },
  {
    names: `
      gcc g++ cc c++ clang clang++ ld as ar rustc javac kotlinc scalac ghc gfortran tcc nasm
      yasm cpp nvcc emcc ocamlc ocamlopt fpc gnat dmd ldc2 csc mcs protoc flex bison yacc lex
      objcopy objdump strip ranlib ldd ldconfig pdflatex latex xelatex lualatex tex pdftex
      latexmk pandoc asciidoctor sphinx-build mkdocs hugo jekyll doxygen typst groff troff
      nroff ps2pdf gs dvips`,
    operands: { rest: 'mention' },
    always: 'writes files, and can be made to run others',
  },
]
