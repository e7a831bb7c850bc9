import { each, type Program, type Usage } from '../program.ts'

const MACHINE = 'connects to another machine or loads other settings'
const WRITES = 'writes to another file'
const SECRETS = 'may show secrets in environment variables'
const RUNS = 'runs a command in a container, or shares files of this machine with it'

const runs: Usage = {
  always: RUNS,
  options: `
      -e= --env= -u= --user= -w= --workdir= -v= --volume= -p= --name= --entrypoint= --network=
      --mount= -c= --container= -n= --namespace= --image=`,
  wrapper: { skip: 1, after: '--' },
}
const shows: Usage = {
  operands: { rest: 'text' },
  options: `
      -f[=] --filter= --format= -n= --namespace= -l= --selector= -o= --output= --tail= --since=
      --until= -c= --container= -a -A -q -w -t -s -p --all --all-containers --all-namespaces --quiet
      --no-trunc --last= --latest --size --timestamps --follow --details --no-color --no-log-prefix
      --watch --show-labels --sort-by= --no-headers --field-selector= --previous --prefix
      --no-stream --digests --services --volumes --profiles --images --hash= --help -h --version`,
  reach: {
    [MACHINE]: `
      -H= --host= --context= --config= --kubeconfig= --server= -s= --cluster= --user= --as=
      --token= --tlscacert= --tlscert= --tlskey= --raw= --filename= -k= --kustomize=`,
  },
  valueReach: { 'uses a template from a file': /file=/ },
}

/** Programs that run others in containers and clusters. */
export const containers: readonly Program[] = [
  {
    names: 'docker podman nerdctl finch docker-compose podman-compose',
    reach: {
      [MACHINE]: `
      -H= --host= -c= --context= --config= --url= --connection= --remote -r --identity= -f=
      --file= -p= --project-name= --project-directory= --env-file= --tlscacert= --tlscert=
      --tlskey= -D --root= --runtime= --hooks-dir= --conmon=`,
    },
    options: '-l= --log-level= --debug --tls --tlsverify -v --version --help',
    commands: {
      ...each('ps images logs inspect version info stats port diff history ls', shows),
      ...each('exec run create shell enter ssh', runs),
      compose: {
        reach: { [MACHINE]: '-f= --file= --env-file= --project-directory= -p=' },
        options:
          '--profile= --progress= --ansi= --parallel= --compatibility --all-resources --dry-run',
        commands: {
          ps: shows,
          logs: shows,
          config: {
            ...shows,
            options: '-q --quiet --services --volumes --images --profiles',
            reach: { ...shows.reach, [WRITES]: '-o= --output=' },
            bare: SECRETS,
            bareFine: '-q --quiet --services --volumes --images --profiles',
            operandsReach: SECRETS,
          },
          images: shows,
          ls: shows,
          exec: runs,
          run: runs,
        },
        otherwise: RUNS,
      },
    },
    otherwise: RUNS,
  },
  {
    names: `
      lima limactl lxc incus ctr crictl buildah skopeo toolbox distrobox vagrant multipass colima
      orb k3s microk8s minikube kind argocd istioctl flux kustomize eksctl kubeadm kubectx kubens`,
    commands: each('exec run create shell enter ssh debug', runs),
    otherwise: RUNS,
  },
  {
    names: 'kubectl oc',
    options: '-n= --namespace=',
    reach: {
      [MACHINE]: '--kubeconfig= --context= --server= -s= --cluster= --user= --as= --token=',
    },
    commands: {
      ...each(
        `
      get describe version top explain api-resources api-versions cluster-info list status
      history`,
        { ...shows, reach: { ...shows.reach, 'reads what to show from a file or URL': '-f=' } },
      ),
      logs: shows,
      ...each('exec run debug rsh attach cp port-forward proxy', runs),
    },
    otherwise: 'changes a cluster or runs something in it',
  },
]
