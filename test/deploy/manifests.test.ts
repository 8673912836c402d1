import { Deployment } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { yamlDocuments } from './deploy-file.ts'

interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

const models = { Deployment, PodDisruptionBudget, ConfigMap, Namespace, Service } as const
const resources = yamlDocuments('kubernetes.yaml') as readonly Resource[]

const named = <Kind extends keyof typeof models>(kind: Kind): InstanceType<(typeof models)[Kind]> =>
  new models[kind](resources.find((each) => each.kind === kind) as never) as InstanceType<
    (typeof models)[Kind]
  >

describe('the Kubernetes manifests', () => {
  it('are of kinds that their API schemas accept, in one namespace', () => {
    expect(resources.map(({ kind }) => kind).sort()).toEqual(Object.keys(models).sort())
    for (const resource of resources) {
      const Model = models[resource.kind as keyof typeof models]
      expect(() => new Model(resource as never).validate()).not.toThrow()
      expect(resource.metadata.namespace ?? resource.metadata.name).toBe('palimpsest')
    }
  })

  it('are checked by schemas that know a mistake', () => {
    const wrong = {
      ...(resources.find(({ kind }) => kind === 'Deployment') as object),
      spec: { replicas: 'three' },
    }
    expect(() => new Deployment(wrong as never).validate()).toThrow(/replicas|selector/)
  })

  it('run as a user, read-only, without privileges, and stop gently', () => {
    const { spec: { template, selector } = {} } = named('Deployment') as never as {
      spec: {
        selector: { matchLabels: object }
        template: {
          metadata: { labels: object }
          spec: {
            terminationGracePeriodSeconds: number
            automountServiceAccountToken: boolean
            securityContext: object
            containers: readonly {
              securityContext: object
              ports: readonly { name: string; containerPort: number }[]
              volumeMounts: readonly { mountPath: string }[]
            }[]
          }
        }
      }
    }
    const pod = template?.spec
    const [container] = pod?.containers ?? []
    expect(pod?.securityContext).toEqual({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod?.automountServiceAccountToken).toBe(false)
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(35)
    expect(container?.ports).toEqual([{ name: 'http', containerPort: 8787 }])
    expect(template?.metadata.labels).toEqual(selector?.matchLabels)
    const { spec: service } = named('Service') as never as {
      spec: { selector: object; ports: readonly { targetPort: string }[] }
    }
    expect([service.selector, service.ports[0]?.targetPort]).toEqual([
      selector?.matchLabels,
      'http',
    ])
  })

  it('have probes at open routes, and a configuration that is one', () => {
    const text = JSON.stringify(resources)
    const probed = [...text.matchAll(/"httpGet":\{"path":"([^"]+)"/g)].map(([, path]) => path)
    expect(probed).toEqual(['/healthz', '/healthz', '/readyz'])
    const { data } = named('ConfigMap') as never as { data: Record<string, string> }
    const { config } = parseConfig({
      text: data['palimpsest.jsonc'] ?? '',
      where: 'the ConfigMap',
      fileName: 'palimpsest.jsonc',
    })
    expect(config.gc).toEqual({ olderThan: '30d' })
  })
})

describe('the compose file', () => {
  interface Compose {
    readonly services: Readonly<
      Record<
        string,
        {
          readonly image: string
          readonly build?: { readonly dockerfile: string }
          readonly environment: Readonly<Record<string, string>>
          readonly read_only?: boolean
          readonly cap_drop?: readonly string[]
          readonly ports?: readonly string[]
          readonly volumes?: readonly string[]
          readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
          readonly healthcheck?: { readonly test: readonly string[] }
        }
      >
    >
    readonly volumes: object
  }
  const [{ services, volumes }] = yamlDocuments('compose.yaml') as [Compose]

  it('has a gateway that waits for its database, read-only and without capabilities', () => {
    const { gateway, database } = services
    expect(gateway).toMatchObject({
      build: { dockerfile: 'deploy/Dockerfile' },
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ports: ['8787:8787'],
      depends_on: { database: { condition: 'service_healthy' } },
    })
    expect(database?.healthcheck?.test.join(' ')).toContain('pg_isready')
    expect(database?.ports).toBeUndefined()
    const [volume = ''] = database?.volumes ?? []
    expect(Object.keys(volumes)).toEqual([volume.split(':')[0]])
  })

  it('has no secret in it, and refuses to start without one', () => {
    const { gateway, database } = services
    expect(gateway?.environment.PALIMPSEST_TOKEN).toMatch(/^\$\{PALIMPSEST_TOKEN:\?/)
    expect(database?.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
    const store = gateway?.environment.PALIMPSEST_STORE ?? ''
    const filled = store.replace(/\$\{POSTGRES_PASSWORD[^}]*\}/, 'p')
    const { username, hostname, pathname } = new URL(filled)
    expect([username, hostname, pathname]).toEqual([
      database?.environment.POSTGRES_USER,
      'database',
      `/${database?.environment.POSTGRES_DB}`,
    ])
  })
})
