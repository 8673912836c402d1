import { defineConfig, type UserConfig } from 'vite'

/** The dashboard's pages: one script and one stylesheet, so that `palimpsest report` can put both into one file. */
const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  base: '/palimpsest/pages/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/app-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: false,
      },
    },
  },
})

export default config
