/** The pages of the site, in the order of its menu. Every Markdown file in docs/ must be here; the build fails otherwise. */
export const menu = [
  {
    title: 'Start',
    pages: [
      ['README.md', 'Palimpsest'],
      ['docs/concepts.md', 'Concepts'],
      ['docs/faq.md', 'Questions'],
      ['docs/troubleshooting.md', 'Troubleshooting'],
    ],
  },
  {
    title: 'Use it',
    pages: [
      ['docs/agents.md', 'Agents'],
      ['docs/gateway.md', 'Gateway'],
      ['docs/team.md', 'Teams'],
      ['docs/dashboard.md', 'Dashboard'],
      ['docs/command-line.md', 'Command line'],
      ['docs/opencode.md', 'OpenCode plugin'],
      ['docs/mcp.md', 'MCP server'],
      ['docs/library.md', 'Library'],
      ['docs/api.md', 'Library reference'],
      ['docs/memory.md', 'Memory'],
      ['docs/configuration.md', 'Configuration'],
      ['docs/store.md', 'Store'],
      ['docs/security.md', 'Security'],
      ['docs/reliability.md', 'Reliability'],
    ],
  },
  {
    title: 'How it works',
    pages: [
      ['docs/schedule.md', 'What is sent, and when'],
      ['docs/formats.md', 'Formats'],
      ['docs/recordings.md', 'Recordings'],
      ['docs/architecture.md', 'Architecture'],
      ['docs/decisions/0001-splice-never-serialise.md', 'Why bytes are spliced'],
      ['docs/decisions/0002-handles-follow-content.md', 'Why handles follow content'],
      ['docs/decisions/0003-numbers-of-tokens-are-estimates.md', 'Why sizes are estimates'],
      ['docs/decisions/0004-decide-always-apply-when-it-pays.md', 'Why decisions wait'],
      ['docs/decisions/0005-memory-by-rules.md', 'Why memory reads by rules'],
    ],
  },
  {
    title: 'Measured',
    pages: [
      ['docs/benchmark.md', 'Benchmark'],
      ['docs/traces.md', 'Trace format'],
      ['docs/digest-benchmark.md', 'Digest benchmark'],
      ['docs/seeds.md', 'Documented behaviour'],
    ],
  },
  {
    title: 'Project',
    pages: [
      ['CONTRIBUTING.md', 'Contributing'],
      ['CHANGELOG.md', 'Changelog'],
    ],
  },
]
