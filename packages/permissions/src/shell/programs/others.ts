import type { Program } from '../program.ts'

/** Programs that, in every use, write files or may run anything. */
export const others: readonly Program[] = [
  {
    names: `
      vi vim view vimdiff gvim rvim rview nvim ex evim emacs emacsclient nano rnano pico joe
      jmacs jed mcedit micro helix hx kak ne code cursor subl atom gedit kate zed idea open
      xdg-open start vipw visudo sudoedit crontab sensible-editor select-editor`,
    operands: { rest: 'mention' },
    always: 'is an editor, which can write files and run commands',
  },
  {
    names: `
      less more most pg man info pinfo tldr apropos whatis zless zmore bzless xzless lesspipe
      delta moar ov vless journalctl coredumpctl machinectl rc-service launchctl initctl perldoc
      ri pydoc pydoc3 godoc ranger nnn lf vifm fzf sk peco top htop btop atop glances iotop
      tig lazygit gitui k9s bpython dialog whiptail`,
    operands: { rest: 'read' },
    always: 'is a pager or terminal multiplexer, which can run commands',
  },
  {
    names: `
      tar bsdtar gtar cpio pax zip unzip zipinfo zipsplit zipnote 7z 7za 7zr rar unrar gzip
      gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd lz4 lzop compress uncompress brotli jar
      shar unar ouch dtrx atool aunpack makeself rpm2cpio mksquashfs unsquashfs genisoimage
      mkisofs xorriso ditto hdiutil pigz pbzip2 pixz zpaq arj lha zoo cabextract ark`,
    operands: { rest: 'mention' },
    always: 'writes files, and can run programs',
  },
  {
    names: `
      sqlite3 sqlite psql mysql mariadb mysqldump mysqladmin pg_dump pg_restore pg_dumpall
      createdb dropdb mongo mongosh mongodump redis-cli redis-server cqlsh influx duckdb
      clickhouse clickhouse-client sqlcmd isql osql sqlplus tsql usql litecli pgcli mycli
      ldapsearch ldapmodify etcdctl consul nomad kafkacat kcat memcached dolt neo4j
      cypher-shell presto trino spark-shell spark-sql spark-submit pyspark hive beeline hdfs
      hadoop flyway liquibase prisma knex sequelize typeorm drizzle-kit alembic dbmate goose
      migrate`,
    operands: { rest: 'mention' },
    always: 'runs code in its arguments, including shell commands',
  },
  {
    names: `
      acr agetty alpine ansible-test ansible-console ansible-vault ansible-pull apache2ctl arp
      atobm bridge cancel cdist certbot csvtool dstat genie gtester highlight iftop jtag logsave
      luatex msgattrib msgcat msgconv msgfilter msgmerge msguniq multitime ncdu neofetch perlbug
      psftp rc redcarpet run-mailcap runscript slsh socket vigr volatility xpad monit xsltproc
      salt-ssh meld kdiff3 opendiff cscope vimtutor dracut openrc kvm jupyter ipdb pudb ksu
      iptables-save envconsul consul-template chezmoi stow visidata vd sc-im newsboat mpc cmus
      ledger tasksh gdb gdbserver lldb dtrace dtruss bpftrace bpftool stap rr radare2 r2 rizin
      pdb byebug crash trace-cmd gcore criu adb fastboot screen tmux byobu zellij dtach abduco
      dvtm xterm gnome-terminal konsole alacritty kitty wezterm urxvt rxvt st foot
      x-terminal-emulator xdotool ydotool wmctrl xclip xsel pbcopy pbpaste wl-copy wl-paste at
      batch anacron cron run-parts logrotate update-alternatives modprobe insmod rmmod
      kmod sysctl useradd usermod userdel groupadd passwd chpasswd chsh chfn login
      gpasswd adduser deluser reboot shutdown halt poweroff init telinit killall pkill skill
      xkill fuser defaults plutil dscl spctl codesign csrutil nvram reg wmic schtasks rundll32
      certutil bitsadmin mshta regsvr32 msiexec cmd wsl dmsetup cryptsetup lvm zfs btrfs dmesg
      logger wall write mesg talk aspell hunspell ispell enscript a2ps ffmpeg ffprobe ffplay
      convert magick mogrify identify exiftool sox vlc mpv mplayer inkscape gimp blender
      libreoffice soffice wkhtmltopdf chromium google-chrome chrome firefox msfconsole msfvenom
      nikto sqlmap hydra john hashcat aircrack-ng ansible ansible-playbook ansible-galaxy ansible-lint puppet
      chef-client chef-solo salt salt-call knife packer cdk sam serverless sls
      jenkins-cli gitlab-runner buildkite-agent cvs sl p4 rcs ci co zenity notify-send
      xmessage espeak say aoss ascii-xfr cobc cowsay cowthink easyrsa efax ginsh
      grc hping ksshell openvt pexec pidstat pry pwdx rpmdb rpmquery rpmverify       scanmem scrot tdbtool tic tmate varnishncsa
      xmodmap xmore yelp zathura zsoelim soelim eqn tbl pic dosbox dosbox-x
      exim exim4 facter kubelet plymouth runc crun snapctl sysdig xetex xdg-user-dir bconsole
      capsh check_by_ssh check_cups check_log check_memory check_raid check_ssl_cert
      check_statusfile clamscan dhclient dmidecode eb fail2ban-client fping6 getcap
      grub-mkconfig ldapadd minicom mosquitto mosquitto_sub needrestart netplan pkgutil       scrcpy smbmap snmpwalk sshd systemd-resolve virsh wireshark ytalk zypper-run`,
    operands: { rest: 'mention' },
    always: 'can run commands, write files or send data',
    wrapper: {},
  },
]
