import type { Program } from '../program.ts'

const WRITES = 'writes to another file'
const SENDS = 'sends data'
const SETTINGS = 'loads other settings or code'

/** The facts about a transfer that curl may print. Other formats can write files. */
const SHOWN = ['http_code', 'response_code', 'time_total', 'size_download']
  .flatMap((name) => [`%{${name}}`, `%{${name}}\\n`])
  .join('|')

/** Programs that connect to other machines. */
export const network: readonly Program[] = [
  {
    names: 'curl',
    still: true,
    operands: { rest: 'address' },
    redirects: '-L --location',
    valueReach: { 'reads a file and sends it': /^@/ },
    options: `
      -s -S -f -L -i -I -v -g -G -N -# -4 -6 -V -h --silent --show-error --fail
      --fail-with-body --location --include --head --verbose --globoff --get --no-buffer
      --compressed --http1.1 --http2 --ipv4 --ipv6 --version --help --progress-bar --retry=
      --retry-delay= -m= --max-time= --connect-timeout= -A= --user-agent= -e= --referer= -r=
      --range= --limit-rate= --max-redirs= --no-progress-meter -H= --header= -o=/dev/null
      --output=/dev/null -w=${SHOWN} --write-out=${SHOWN}`,
    reach: {
      [WRITES]: `
      -o= --output= -O --remote-name --remote-name-all -J --output-dir= -D= --dump-header= -c=
      --cookie-jar= --trace= --trace-ascii= --stderr= --libcurl= --etag-save= --hsts=
      --alt-svc= -w= --write-out=`,
      [SENDS]: `
      -d= --data= --data-raw= --data-binary= --data-ascii= --data-urlencode= --json= -F=
      --form= --form-string= -T= --upload-file= -X= --request= -u= --user= -b= --cookie=
      --url-query= -Q= --quote= -n --netrc --netrc-file= -E= --cert= --key=`,
      [SETTINGS]: `
      -K= --config= --engine= -x= --proxy= --preproxy= --socks5= --unix-socket=
      --abstract-unix-socket= --resolve= --connect-to= --cacert= --capath= -k --insecure
      --doh-url= --interface= --dns-servers= -q --disable -: --next`,
    },
    operandReach: {
      'is not a web page': /^(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i,
      'expands to several URLs': /[{}[\]]/,
    },
  },
  {
    names: `
      wget wget2 aria2c axel lwp-download lwp-request GET HEAD http https xh xhs httpie curlie
      hurl grpcurl websocat wscat lynx links elinks w3m youtube-dl yt-dlp surge s3cmd mc ngrok
      cloudflared localtunnel lt`,
    operands: { rest: 'mention' },
    always: 'writes files and sends data',
  },
  {
    names: `
      ping ping6 dig nslookup host traceroute tracepath mtr whois drill delv fping hping3
      arping resolvectl getent finger rdate ntpdate avahi-resolve kdig dog doggo`,
    operands: { rest: 'text' },
    // Some of them also send the files they read.
    always: 'sends its arguments to another machine',
  },
  {
    names: `
      nc ncat netcat socat telnet ftp tftp lftp ncftp sftp scp rcp mosh autossh sshfs rlogin
      smbclient mail mailx mutt sendmail msmtp swaks tcpdump tshark nmap masscan openvpn wg
      wg-quick ssh-keygen ssh-keyscan ssh-copy-id ssh-add iptables nft ufw ip
      ifconfig route tc ss netstat irssi weechat rtorrent transmission-cli bitcoin-cli dnsmasq
      nginx apache2 httpd caddy openssl gpg gpg2 age sops vault pass keychain security
      cupsfilter lp lpr ab hey wrk`,
    operands: { rest: 'mention' },
    always: 'connects to other machines or runs programs',
    wrapper: {},
  },
  {
    names: 'ssh rsh slogin dbclient sshpass plink',
    operands: { rest: 'mention' },
    always: 'runs commands on another machine',
    options: '-o= -p= -i= -l= -F= -J= -L= -R= -D= -W= -b= -c= -E= -e= -I= -m= -O= -Q= -S= -w=',
    wrapper: { skip: 1, joins: true },
  },
]
