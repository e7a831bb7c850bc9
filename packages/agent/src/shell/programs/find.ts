import type { Program } from '../program.ts'

/** Programs that look for files. */
export const find: readonly Program[] = [
  {
    names: 'find gfind',
    oneDash: true,
    operands: { rest: 'list' },
    // Its tests: what they take is no file.
    values: `
      -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype=
      -type= -xtype= -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newermt= -maxdepth=
      -mindepth= -perm= -user= -group= -uid= -gid= -links= -inum= -printf= -lname= -ilname=
      -fstype= -used= -D=`,
    files: {
      read: '-newer= -anewer= -cnewer= -samefile=',
      write: '-fprint= -fprint0= -fprintf= -fls=',
    },
    reach: {
      'runs a command on what it finds': '-exec= -execdir= -ok= -okdir=',
      'removes what it finds': '-delete',
      'writes to a file of its choice': '-fprint= -fprint0= -fprintf= -fls=',
      'reads the files that another file lists': '-files0-from=',
    },
    wrapper: { inside: '-exec -execdir -ok -okdir' },
  },
  {
    names: 'fd fdfind',
    operands: { first: 'text', rest: 'list' },
    values: `
      -e= --extension= -t= --type= -d= --max-depth= --min-depth= --exact-depth= -E= --exclude=
      -S= --size= -c= --color= --changed-within= --changed-before= -o= --owner= -j= --threads=
      --max-results=`,
    files: { read: '--search-path=' },
    reach: {
      'runs a command on what it finds': '-x= --exec= -X= --exec-batch=',
      'loads other settings': '--ignore-file= -C= --base-directory=',
    },
    wrapper: { inside: '-x --exec -X --exec-batch' },
  },
  {
    names: 'locate mlocate plocate',
    operands: { rest: 'text' },
    reach: { 'loads other settings': '-d= --database=' },
  },
]
