import { each, type Program, type Usage } from '../program.ts'

const RUNS = 'runs other code'
const ELSEWHERE = 'uses another project or other settings'
const WRITES = 'writes to another file'

/** Options of a Rust test program, and of the compiler's lints. */
const RUST_TESTS =
  '--nocapture --no-capture --show-output --ignored --include-ignored --exact --list --test-threads= --skip= -q --quiet --color= --help -D= -W= -A='

/** Go packages are not paths, but files may be given in their place. */
const OUTSIDE = /^[/~]|(?:^|\/)\.\.(?:\/|$)/

/** Compilers, and build tools for one language. */
export const compile: readonly Program[] = [
  {
    names: 'go',
    obeys: 'folder',
    oneDash: true,
    operands: { rest: 'mention' },
    reach: { [ELSEWHERE]: '-C=' },
    options: '',
    commands: {
      ...each('build test vet list fix', {
        oneDash: true,
        operands: { rest: 'mention' as const },
        options: `
      -run= -count= -timeout= -bench= -benchmem -benchtime= -p= -tags= -cpu= -parallel= -skip= -fuzz=
      -fuzztime= -f= -cover -covermode= -coverpkg= -shuffle= -v -x -n -a -race -msan -asan -short
      -failfast -json -vet= -list= -trimpath -work -buildvcs= -deps -test -e -m -u -export -find
      -compiled -versions -retracted -fullpath -buildmode=`,
        operandReach: { 'downloads code': /@/, [ELSEWHERE]: OUTSIDE },
        reach: {
          [RUNS]: `
      -exec= -toolexec= -vettool= -ldflags= -gcflags= -asmflags= -gccgoflags= -compiler= -args
      -pkgdir=`,
          [ELSEWHERE]: '-C= -modfile= -overlay= -mod= -pgo=',
          [WRITES]: `
      -o= -c -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace=
      -outputdir= -artifacts -test.testlogfile= -test.gocoverdir=`,
        },
      }),
      run: {
        oneDash: true,
        early: true,
        operands: { first: 'read', rest: 'mention' },
        options: '-race -v -x -tags= -trimpath -a',
        reach: { [RUNS]: '-exec= -toolexec= -ldflags=', [ELSEWHERE]: '-C= -modfile= -overlay=' },
        operandReach: { 'runs code from elsewhere': /@|^\/|^\.\.|^[a-z0-9-]+\.[a-z]+\// },
      },
      fmt: {
        sources: '*.go',
        writesUnless: '-n',
        operands: { rest: 'mention', folder: [{}] },
        operandReach: { [ELSEWHERE]: OUTSIDE },
        options: '-n -x',
      },
      doc: { operands: { rest: 'text' }, options: '-all -c -short -src -u', oneDash: true },
      version: { options: '-m -v', operands: { rest: 'read' } },
      help: { options: '' },
      clean: {
        operands: { rest: 'text' },
        oneDash: true,
        options: '-i -r -n -x -cache -testcache -modcache -fuzzcache',
      },
      mod: {
        commands: each('tidy download graph verify why', {
          oneDash: true,
          options: '-v -x -e -go= -compat= -json -m -vendor',
          operandReach: { 'downloads code': /@/, [ELSEWHERE]: OUTSIDE },
        }),
        otherwise: 'changes the project',
      },
      install: { always: 'installs a program' },
      env: {
        oneDash: true,
        options: '-json -changed',
        reach: { 'changes the configuration of go': '-w -u' },
      },
    },
    otherwise: RUNS,
  },
  {
    names: 'cargo',
    obeys: 'folder',
    // Any other name may be a folder linked as a toolchain.
    selects: /^\+(?:stable|beta|nightly|1\.\d+(?:\.\d+)?)$/,
    operands: { rest: 'text' },
    reach: { [ELSEWHERE]: '--config= -C= -Z= --manifest-path=' },
    options:
      '--color= -q --quiet -v --verbose --locked --offline --frozen -V --version --list -h --help',
    commands: {
      ...each(
        `
      check build test clippy fmt doc bench tree metadata clean update fetch verify-project
      version c b t d`,
        cargo(RUST_TESTS),
      ),
      nextest: { ...cargo(RUST_TESTS), plainFirst: /^(?:run|list)$/ },
      ...each('run r', cargo()),
      fmt: {
        ...cargo('--check -l --files-with-diff --emit=stdout|json|checkstyle -v -q'),
        sources: '*.rs',
        writesUnless: '--check --emit=',
        operands: { rest: 'text', folder: [{}] },
      },
    },
    otherwise: RUNS,
  },
  {
    // Its options have one dash or two, in upper or lower case.
    names: 'tsc tsgo vue-tsc',
    oneDash: true,
    sources: '*.ts *.mts *.cts *.tsx *.js *.mjs *.cjs *.jsx *.vue *.json',
    followsImports: true,
    operands: { rest: 'read' },
    options: `
      -p= -project= -b -build -noEmit -noemit -w -watch -target= -t= -module= -m= -lib= -jsx=
      -moduleResolution= -strict -skipLibCheck -esModuleInterop -allowJs -checkJs
      -resolveJsonModule -isolatedModules -incremental -composite -pretty -noErrorTruncation
      -listFiles -listFilesOnly -listEmittedFiles -traceResolution -diagnostics
      -extendedDiagnostics -explainFiles -showConfig -noUnusedLocals -noUnusedParameters
      -noImplicitAny -noImplicitReturns -noFallthroughCasesInSwitch -noUncheckedIndexedAccess
      -exactOptionalPropertyTypes -noEmitOnError -declaration -d -emitDeclarationOnly -sourceMap
      -declarationMap -removeComments -forceConsistentCasingInFileNames -strictNullChecks
      -preserveWatchOutput -force -f -dry -verbose -clean -customConditions= -types=
      -verbatimModuleSyntax -allowImportingTsExtensions -erasableSyntaxOnly -isolatedDeclarations
      -all -v -version -h -help`,
    // The argument may be another project, which writes to the places in its settings.
    plainOperand:
      /^(?!@|.*\.json$)|^(?!.*\.\.\/)[\w.-][\w./-]*(?<=\/)tsconfig[\w.-]*\.json$|^tsconfig[\w.-]*\.json$/,
    valueReach: {
      [ELSEWHERE]: /^[/~]|(?:^|\/)\.\.(?:\/|$)|^(?!(?:.*\/)?tsconfig[\w.-]*\.json$).*\.json$/,
    },
    reach: {
      [WRITES]: `
      -outDir= -outFile= -out= -o= -declarationDir= -tsBuildInfoFile= -generateTrace=
      -generateCpuProfile= -pprofDir=`,
      [ELSEWHERE]: '-locale= -plugins= -baseUrl= -rootDirs= -typeRoots= -rootDir= -init',
    },
  },
  {
    names: 'vite',
    obeys: 'folder',
    commands: each('build dev serve preview optimize', {
      operands: { rest: 'mention' as const },
      plainOperand: /^\.$/,
      options: `
      --mode= -m= --port= --host[=] --strictPort --open=false --force --minify[=] --sourcemap[=]
      --emptyOutDir --watch -w --logLevel= -l= --clearScreen[=] --no-clearScreen --ssr --cors
      --version -v --help -h`,
      reach: { [RUNS]: '-c= --config= --configLoader= --open -f= --filter= -d[=] --debug[=]' },
    }),
    options: '--mode= --port= --host[=] --strictPort --force --version -v --help -h',
    otherwise: 'is not known to be harmless',
  },
  {
    names: 'swc esbuild rollup rolldown webpack parcel babel tsup tsdown unbuild',
    obeys: 'folder',
    // These programs print or write imported files, including text files.
    sources: '*.ts *.mts *.cts *.tsx *.js *.mjs *.cjs *.jsx *.vue *.json *.css *.txt',
    followsImports: true,
    operands: { rest: 'read' },
    // Files, and subcommands that load no settings from elsewhere, unlike `webpack configtest x`
    // and `unbuild x`.
    plainOperand: /^(?:build|serve|watch)$|^[\w./@-]+\.(?:[cm]?[jt]sx?|css|json)$/,
    options: `
      --bundle --minify --sourcemap --watch -w --splitting --silent --clean --no-color --color
      --version --help -h --target= --platform=node|browser|neutral --format=esm|cjs|iife|umd|es
      --mode=production|development|none --log-level= --tree-shaking[=]true|false --dts --no-dts`,
    reach: {
      [RUNS]: `
      -c= --config= --plugins= --plugin= -p= -r= --require= --presets= --onSuccess= --watch.onStart=
      --watch.onEnd= --watch.onBundleStart= --watch.onBundleEnd= --watch.onError= --configPlugin=
      --root-mode= --env-name= --inject= --loader=`,
      [WRITES]: `
      --outDir= --outFile= --out= -o= -d= --dir= --file= --metafile= --mangle-cache= --output-path=
      --output-filename= --dist-dir= --cache-dir= --outbase= --profile= --json=`,
    },
  },
  {
    names: `
      gcc g++ cc c++ clang clang++ ld as ar rustc javac kotlinc scalac ghc gfortran tcc nasm
      yasm cpp nvcc emcc ocamlc ocamlopt fpc gnat dmd ldc2 csc mcs protoc flex bison yacc lex
      objcopy objdump strip ranlib ldd ldconfig pdflatex latex xelatex lualatex tex pdftex
      latexmk pandoc asciidoctor sphinx-build mkdocs hugo jekyll doxygen typst groff troff
      nroff ps2pdf gs dvips clang-tidy cppcheck rustfmt`,
    operands: { rest: 'mention' },
    // Messages also show the content of included files of any kind.
    always: 'writes files, and can run programs',
  },
]

/**
 * Options of cargo's subcommands. Without a list, words after `--` are for the project's own
 * program.
 */
function cargo(passes?: string): Usage {
  return {
    operands: { rest: 'text' },
    ...(passes === undefined ? { passesAnything: true } : { passes }),
    // A custom target selects its own linker.
    valueReach: { 'may define a custom target': /\.json$/ },
    options: `
      -p= --package= -j= --jobs= --features= -F= --target= --message-format= --test= --bin=
      --example= --profile= --exclude= --bench= --color= --depth= --edges= -e= -i= --invert=
      --prefix= --charset= --format-version= --limit= --precise= --prune= --aggressive
      --all-targets --all-features --no-default-features --workspace --all --release --lib --bins
      --tests --examples --benches --doc --no-run --no-fail-fast --no-deps --locked --offline
      --frozen -q --quiet -v --verbose -r --check --keep-going --open=false --dry-run -n --ignore-rust-version
      --future-incompat-report --duplicates -d --no-dedupe --document-private-items --recursive
      -V --version --help -h`,
    reach: {
      [ELSEWHERE]: '--config= --manifest-path= -Z= -C= --target-dir= --lockfile-path=',
      [WRITES]: '--out-dir= --artifact-dir= --timings[=] --build-plan --unit-graph',
      'changes files': '--fix --allow-dirty --allow-staged --allow-no-vcs --open',
    },
  }
}
