import type { Reasons } from '../program.ts'

/**
 * Long options with the same meaning in almost any program. They reach unless a program's own table
 * lists them as plain.
 */
export const ANYWHERE: Reasons = {
  'runs other code': `
      --exec= --execute= --exec-path= --eval= --evaluate= --command= --cmd= --script= --shell=
      --script-shell= --pager= --editor= --browser= --compress-program=
      --use-compress-program= --pre= --plugin= --plugins= --plugin-dir= --plugin-path=
      --require= --import= --loader= --load= --experimental-loader= --load-extension=
      --preload= --init-file= --rcfile= --hook= --rsh= --ssh= --ssh-command= --askpass=
      --use-askpass= --upload-pack= --receive-pack= --toolexec= --vettool= --wrapper=
      --launcher= --interpreter= --engine= --rulesdir= --resolve-plugins-relative-to=
      --to-command= --checkpoint-action= --node-options= --proxy-command=
      --open-files-in-pager --ext-diff --javaagent= --agentpath= --agentlib=`,
  'writes to another file': `
      --output= --output-file= --output-document= --output-directory= --outfile= --out-file=
      --outdir= --out-dir= --outDir= --outFile= --outputFile= --out= --log-file= --logfile=
      --in-place --inplace --dump-file= --save-to= --target-directory= --pidfile=
      --pid-file= --junit-xml= --junitxml= --dump-header= --cookie-jar= --destination=
      --directory-prefix=`,
  'loads other settings': `
      --config= --config-file= --config-path= --config-env= --configuration= --conf=
      --settings= --options-file= --kubeconfig= --manifest-path= --prefix=
      --working-directory= --chdir= --cwd= --userconfig= --globalconfig= --env-file=
      --makefile= --override-ini= --confcutdir= --inifile= --template= --defaults-file=
      --defaults-extra-file= --init-script= --git-dir= --work-tree= --unsafe-paths`,
}

/**
 * Options of many programs that are not abbreviations of longer ones: `--check` is not
 * `--checkpoint-action`.
 */
export const WHOLE: ReadonlySet<string> = new Set([
  '--check',
  '--ext',
  '--cov',
  '--coverage',
  '--format',
  '--reporter',
  '--arg',
])

/** Letters that often run code, write, or load settings in programs without a table. */
export const LETTERS: Reasons = {
  'may run code, write or load settings in this unknown program': '-e= -c= -o= -x=',
}
