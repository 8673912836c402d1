import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { projectRoot } from '../model/project-root.ts'

export const deployFile = (name: string): string => path.join(projectRoot, 'deploy', name)

export function deployText(name: string): string {
  return readFileSync(deployFile(name), 'utf8')
}

/** The documents of a YAML file, aliases resolved. Fails on warnings too. */
export function yamlDocuments(name: string): readonly unknown[] {
  return parseAllDocuments(deployText(name)).map((document) => {
    const problems = [...document.errors, ...document.warnings]
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
    return document.toJS() as unknown
  })
}
