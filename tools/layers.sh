#!/bin/sh
# Checks that a file under src/ includes headers of its own layer and of layers listed before it
# only.  A layer is a folder of src/ with its subfolders; includes name paths below src/.
# At the top stand known files and folders only: output of an experiment is not committed.
# Prints each offence; exit status 1 when there is one.
top=".ci .clang-format .gitignore HACKING.md LICENSE MANIFEST.in Makefile README.md STYLE.md bench doc editors examples lib page pyproject.toml python rts setup.py src tests tools"
layers="base diag prim values ctext syntax check lsp core elab interp derive gen opt bulk hlo ad sparse mem imp back cflow cdiff clower driver pkg cmd"
bad=0
allowed=""
for layer in $layers; do
  allowed="$allowed $layer"
  [ -d "src/$layer" ] || continue
  for used in $(grep -rhoE '#include "[a-z_.]+/' src/"$layer" 2>/dev/null |
                sed 's|.*"||; s|/||' | sort -u); do
    case " $allowed rts " in
      *" $used "*) ;;
      *) echo "layer $layer includes from $used:"
         grep -rl "#include \"$used/" src/"$layer"
         bad=1 ;;
    esac
  done
done
for dir in src/*/; do
  name=$(basename "$dir")
  case " $layers " in *" $name "*) ;; *) echo "folder src/$name is not a layer"; bad=1 ;; esac
done
for name in $(git ls-files 2> /dev/null | cut -d/ -f1 | sort -u); do
  case " $top " in *" $name "*) ;; *) echo "$name does not belong at the top"; bad=1 ;; esac
done
exit $bad
