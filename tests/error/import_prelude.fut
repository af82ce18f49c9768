import "/prelude/soacs" --! may not be explicitly imported
